// The cache of compiled kernels: what is stored is found, by any number of programs; what is damaged is not.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "base/pending_file.h"
#include "engine/gpu/kernel_compiler.h"
#include "stand_in.h"

namespace stridescope::engine::gpu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Program programWith(const std::string& text) {
  return {.name = "preamble",
          .text = text,
          .kernel = "kernel",
          .options = {"--gpu-architecture=sm_90"},
          .headers = {}};
}

CompiledKernel kernelOf(std::size_t bytes, char fill = 'x') {
  std::string image(bytes, fill);
  image[bytes / 2] = '\0';  // an image is no text
  return {image, "_Z6kernelPKiPi"};
}

fs::path onlyEntry(const CompileCache& cache) {
  for (const auto& item : fs::directory_iterator(cache.folder()))
    if (item.path().extension() == ".kernel") return item.path();
  return {};
}

TEST(CompileCacheTest, FindsWhatWasStored) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path());
  const std::string key = CompileCache::keyOf(programWith("text"), "13.0");
  EXPECT_FALSE(cache.find(key));
  cache.store(key, kernelOf(1000));
  EXPECT_EQ(cache.find(key), kernelOf(1000));
  EXPECT_EQ(CompileCache(folder.path()).find(key), kernelOf(1000)) << "another program";
  EXPECT_GT(cache.bytes(), 1000u);
}

TEST(CompileCacheTest, MakesItsFolder) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path() + "/a/b");
  cache.store("key", kernelOf(10));
  EXPECT_TRUE(cache.find("key"));
}

TEST(CompileCacheTest, EverythingTheCompilerIsGivenMakesAnotherKey) {
  const Program program = programWith("text");
  std::vector<std::string> keys{CompileCache::keyOf(program, "13.0"), CompileCache::keyOf(program, "12.9"),
                                CompileCache::keyOf(programWith("text "), "13.0")};
  Program changed = program;
  changed.options = {"--gpu-architecture=sm_75"};
  keys.push_back(CompileCache::keyOf(changed, "13.0"));
  changed.options = {"--gpu-architecture=", "sm_90"};  // the same letters, divided elsewhere
  keys.push_back(CompileCache::keyOf(changed, "13.0"));
  changed = program;
  changed.kernel = "other";
  keys.push_back(CompileCache::keyOf(changed, "13.0"));
  changed = program;
  changed.headers = {{"core.h", "struct Core;"}};
  keys.push_back(CompileCache::keyOf(changed, "13.0"));
  changed.headers = {{"core.h", "class Core;"}};
  keys.push_back(CompileCache::keyOf(changed, "13.0"));
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  for (const std::string& key : keys) EXPECT_EQ(key.size(), 64u);
}

// Every byte of an entry, changed, and every length it may have been cut to.
TEST(CompileCacheTest, ADamagedEntryIsNoEntry) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path());
  const std::string key = CompileCache::keyOf(programWith("text"), "13.0");
  cache.store(key, kernelOf(64));
  const fs::path path = onlyEntry(cache);
  std::ifstream file(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(whole.size(), 64u);
  const auto write = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    write(damaged);
    EXPECT_FALSE(cache.find(key)) << "byte " << i;
    write(whole.substr(0, i));
    EXPECT_FALSE(cache.find(key)) << "cut to " << i;
  }
  write(whole + "x");
  EXPECT_FALSE(cache.find(key));
  cache.store(key, kernelOf(64));
  EXPECT_EQ(cache.find(key), kernelOf(64)) << "written anew";
}

TEST(CompileCacheTest, AnEntryUnderAnotherKeyIsNoEntry) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path());
  cache.store("first", kernelOf(64));
  fs::rename(onlyEntry(cache), fs::path(folder.path()) / "second.kernel");
  EXPECT_FALSE(cache.find("second"));
}

// Processes that write and read one key at once never see anything but a whole entry.
TEST(CompileCacheTest, ProgramsShareAFolder) {
  const TemporaryFolder folder;
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      const CompileCache cache(folder.path());
      int wrong = 0, seen = 0;
      for (int i = 0; i < 300; ++i) {
        cache.store("shared", kernelOf(20000, static_cast<char>('a' + child)));
        const auto found = cache.find("shared");
        if (!found) continue;
        ++seen;
        const char fill = found->image.front();
        if (fill < 'a' || fill > 'd' || *found != kernelOf(20000, fill)) ++wrong;
      }
      _exit(wrong == 0 && seen > 250 ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  unsigned files = 0;
  for ([[maybe_unused]] const auto& item : fs::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1u) << "temporary files were left";
}

TEST(CompileCacheTest, TheEntriesUsedLongestAgoGo) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path(), 5000);
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 4; ++i) {
    const std::string key = "entry" + std::to_string(i);
    cache.store(key, kernelOf(1000));
    fs::last_write_time(fs::path(folder.path()) / (key + ".kernel"), now - 10h + i * 1h);
  }
  EXPECT_TRUE(cache.find("entry0")) << "and so it was used now";
  cache.store("large", kernelOf(2000));
  EXPECT_TRUE(cache.find("entry0"));
  EXPECT_FALSE(cache.find("entry1"));
  EXPECT_TRUE(cache.find("large"));
  EXPECT_LE(cache.bytes(), 5000u);
}

TEST(CompileCacheTest, AbandonedTemporaryFilesGo) {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path());
  const TemporaryEntry inUse = makeTemporaryFile(folder.path());
  const fs::path abandoned = fs::path(folder.path()) / ".stridescope-1-0.tmp";
  std::ofstream(abandoned) << "x";
  cache.store("key", kernelOf(10));
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(inUse.path)) << "another program may be writing it";
}

TEST(CompileCacheTest, WorksWithoutAFolder) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "x";
  for (const std::string& unusable : {std::string(), folder.path() + "/file", std::string("/proc/no/such")}) {
    const CompileCache cache(unusable);
    EXPECT_EQ(cache.folder(), "");
    cache.store("key", kernelOf(10));
    EXPECT_FALSE(cache.find("key"));
    EXPECT_EQ(cache.bytes(), 0u);
  }
}

TEST(CompileCacheTest, UsualFolder) {
  const auto set = [](const char* name, const char* value) {
    value ? setenv(name, value, 1) : unsetenv(name);
  };
  set("STRIDESCOPE_KERNEL_CACHE", nullptr);
  set("XDG_CACHE_HOME", "/x");
  set("HOME", "/home/a");
  EXPECT_EQ(CompileCache::defaultFolder(""), "/x/stridescope/kernels");
  EXPECT_EQ(CompileCache::defaultFolder("/given"), "/given");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(CompileCache::defaultFolder(""), "/home/a/.cache/stridescope/kernels");
  set("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(CompileCache::defaultFolder(""), "/home/a/.cache/stridescope/kernels");
  set("STRIDESCOPE_KERNEL_CACHE", "/k");
  EXPECT_EQ(CompileCache::defaultFolder(""), "/k");
  set("STRIDESCOPE_KERNEL_CACHE", nullptr);
  set("HOME", nullptr);
  EXPECT_EQ(CompileCache::defaultFolder(""), "");
}

}  // namespace
}  // namespace stridescope::engine::gpu
