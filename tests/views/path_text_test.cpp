// How a typed path goes on.
#include <gtest/gtest.h>

#include "views/forms/path_field.h"

namespace stridescope::views {
namespace {

using Entries = std::vector<shell::FolderEntry>;

const std::vector<shell::FileKind> kRecordings{{"Recordings", "*.stride"}};

TEST(TypedPath, IsAFolderAndTheBeginningOfAName) {
  EXPECT_EQ(typedPath(""), (TypedPath{"", ""}));
  EXPECT_EQ(typedPath("rec"), (TypedPath{"", "rec"}));
  EXPECT_EQ(typedPath("/"), (TypedPath{"/", ""}));
  EXPECT_EQ(typedPath("/home/a/re"), (TypedPath{"/home/a/", "re"}));
  EXPECT_EQ(typedPath("~"), (TypedPath{"~/", ""}));
  EXPECT_EQ(typedPath("~/re"), (TypedPath{"~/", "re"}));
  EXPECT_EQ(typedPath(".."), (TypedPath{"../", ""}));
  EXPECT_EQ(typedPath("a/.."), (TypedPath{"a/../", ""}));
  EXPECT_EQ(typedPath("a/.h"), (TypedPath{"a/", ".h"}));
}

TEST(Candidates, AreFoldersAndFilesOfTheKind) {
  const shell::FolderListing listing{
      .entries = {{".git", true}, {"records", true}, {"read.me"}, {"record.stride"}, {"other.stride"}}};
  EXPECT_EQ(candidatesFor({"", "rec"}, listing, kRecordings),
            (Entries{{"records", true}, {"record.stride"}}));
  EXPECT_EQ(candidatesFor({"", ""}, listing, kRecordings),
            (Entries{{"records", true}, {"record.stride"}, {"other.stride"}}));
  EXPECT_EQ(candidatesFor({"", ".g"}, listing, kRecordings), (Entries{{".git", true}}));
  EXPECT_EQ(candidatesFor({"", "read"}, listing, {}), (Entries{{"read.me"}})) << "of any kind";
}

TEST(Candidates, HaveOneOfSeveralPatterns) {
  const std::vector<shell::FileKind> kinds{{"Numbers and lists", "*.txt *.csv"}, {"More", "*.json README"}};
  for (const char* name : {"a.txt", "a.csv", "a.json", "README"}) EXPECT_TRUE(isOfKinds(name, kinds)) << name;
  for (const char* name : {"a.md", "txt", "README.md"}) EXPECT_FALSE(isOfKinds(name, kinds)) << name;
}

TEST(Ending, IsAddedToANameThatHasNone) {
  EXPECT_EQ(withEnding("~/a.b/lecture", kRecordings), "~/a.b/lecture.stride");
  EXPECT_EQ(withEnding("lecture.txt", kRecordings), "lecture.txt") << "a person chose another";
  EXPECT_EQ(withEnding("a/", kRecordings), "a/") << "a folder";
  EXPECT_EQ(withEnding("..", kRecordings), "..");
  EXPECT_EQ(withEnding("lecture", {}), "lecture");
  EXPECT_EQ(withEnding("lecture", {{"Numbers", "*.txt *.csv"}}), "lecture") << "nobody knows which";
}

TEST(Completion, IsWhatAllCandidatesHaveInCommon) {
  EXPECT_EQ(completed({"~/", "re"}, {{"record_a"}, {"record_b"}}), "~/record_");
  EXPECT_EQ(completed({"", "r"}, {{"r1"}, {"r2"}}), "r") << "no more than is typed";
  EXPECT_EQ(completed({"/a/", "re"}, {{"records", true}}), "/a/records/");
  EXPECT_EQ(completed({"/a/", "re"}, {{"rec.stride"}}), "/a/rec.stride");
  EXPECT_EQ(completed({"/a/", "zz"}, {}), "/a/zz");
}

// The first bytes of "ä" and "ö" are the same.
TEST(Completion, EndsBetweenTwoCharacters) {
  EXPECT_EQ(completed({"", ""}, {{"x\u00e4"}, {"x\u00f6"}}), "x");
}

TEST(FolderAbove, IsWhereItIs) {
  EXPECT_EQ(folderAbove("/home/a/"), "/home/");
  EXPECT_EQ(folderAbove("/home/"), "/");
  EXPECT_EQ(folderAbove("/"), "");
  EXPECT_EQ(folderAbove(""), "../");
  EXPECT_EQ(folderAbove("a/"), "./");
  EXPECT_EQ(folderAbove("./"), "../");
  EXPECT_EQ(folderAbove("../"), "../../");
  EXPECT_EQ(folderAbove("~/"), "~/../");
  EXPECT_EQ(folderAbove("~/a/"), "~/");
}

}  // namespace
}  // namespace stridescope::views
