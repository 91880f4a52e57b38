// `export` with a painter that paints a colour for each step: what is drawn, what is written, what is
// refused.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <filesystem>

#include "archive/recording_file.h"
#include "command_run.h"
#include "engine/experiment_check.h"
#include "support/hostile_text.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using support::contentsOf;
using support::writeContents;

struct Drawn {
  std::string variant, panel;
  handout::Place place;
  ShotTheme theme{};
  unsigned width = 0, height = 0;  // the window's
};

class ColourPainter : public RoundPainter {
 public:
  ColourPainter(std::vector<Drawn>& drawn, const PainterSetup& setup) : drawn_(drawn), setup_(setup) {}

  Result<void> show(const lab::Run& run, const std::string&) override {
    variant_ = run.trace.experiment.variant;
    return {};
  }
  void useTheme(ShotTheme theme) override { theme_ = theme; }
  Result<picture::Image> window(const handout::Place& place, const std::string& panel) override {
    drawn_.push_back({variant_, panel, place, theme_, setup_.width, setup_.height});
    return image(8, 6, place);
  }
  Result<std::vector<PanelPicture>> panels(const handout::Place& place,
                                           std::span<const PanelSize> sizes) override {
    std::vector<PanelPicture> pictures;
    for (const PanelSize& size : sizes) {
      drawn_.push_back({variant_, size.panel, place, theme_, setup_.width, setup_.height});
      pictures.push_back({"Panel " + size.panel, image(size.width * 2, size.height * 2, place)});
    }
    return pictures;
  }

 private:
  static picture::Image image(unsigned width, unsigned height, const handout::Place& place) {
    picture::Image image{{int(width), int(height)}, {}};
    for (unsigned i = 0; i < width * height; ++i)
      for (const unsigned channel : {place.round * 20, 100u, 0u, 255u})
        image.rgba.push_back(std::uint8_t(channel));
    return image;
  }
  std::vector<Drawn>& drawn_;
  PainterSetup setup_;
  std::string variant_;
  ShotTheme theme_{};
};

class Export : public testing::Test {
 protected:
  Export() {
    services_.makePainter = [this](const PainterSetup& setup) -> Result<std::unique_ptr<RoundPainter>> {
      return std::make_unique<ColourPainter>(drawn_, setup);
    };
    services_.panels = {"shared_memory", "banks"};
  }
  std::string path(const char* name) const { return (folder_ / name).native(); }
  CommandRun run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "export");
    arguments.insert(arguments.end(), {"--engine", "host"});
    return runCommand(arguments, services_);
  }
  // The sentence of a run that writes nothing.
  std::string refusalOf(const std::vector<std::string>& arguments, int code = 2) {
    const std::size_t before = folder_.fileCount();
    const CommandRun ended = run(arguments);
    EXPECT_EQ(ended.code, code) << ended.error;
    EXPECT_EQ(folder_.fileCount(), before) << "something was left";
    EXPECT_EQ(ended.out, "");
    return ended.error;
  }
  std::vector<std::string> names(const char* folder) const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder))
      all.push_back(entry.path().filename());
    std::ranges::sort(all);
    return all;
  }

  support::Folder folder_;
  Services services_ = hostOnly();
  std::vector<Drawn> drawn_;
};

TEST_F(Export, ATableHasARowForEachRoundOfEachVariant) {
  ASSERT_EQ(run({"sequential,interleaved_modulo", "--threads", "64", "-o", path("a.csv")}).code, 0);
  const std::string csv = contentsOf(folder_ / "a.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 * 8);
  EXPECT_NE(csv.find("\nsequential,0,1,Stride 32,combine,32,1,64,32,1,0,"), std::string::npos) << csv;
  EXPECT_TRUE(drawn_.empty()) << "nothing is drawn for it";
}

TEST_F(Export, ATableOfSomeRoundsHasTheValuesIfRequested) {
  ASSERT_EQ(run({"sequential", "--threads", "32", "--data", "ramp", "--rounds", "1..1", "--values", "-o",
                 path("a.csv")})
                .code,
            0);
  const std::string csv = contentsOf(folder_ / "a.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 2);
  EXPECT_NE(csv.find(",data[0],data[1],"), std::string::npos);
  EXPECT_NE(csv.find(",16,18,20,"), std::string::npos) << "0 + 16, 1 + 17, 2 + 18: " << csv;
}

TEST_F(Export, AsMarkdown) {
  ASSERT_EQ(run({"sequential", "--threads", "64", "--as", "md", "--values", "-o", path("notes")}).code, 0);
  const std::string text = contentsOf(folder_ / "notes");
  EXPECT_TRUE(text.starts_with("## sequential\n\nsequential int + digits, 64 threads"));
  EXPECT_NE(text.find("| 1 | Stride 32 | 32 | 1 |"), std::string::npos) << text;
  EXPECT_NE(text.find("### Stride 32\n\n```\n"), std::string::npos);
}

TEST_F(Export, AFolderHasAPictureOfEachStep) {
  ASSERT_EQ(run({"sequential", "--threads", "64", "--as", "png", "-o", path("p")}).code, 0);
  EXPECT_EQ(names("p").size(), 8u);
  EXPECT_EQ(names("p").front(), "round-000.png");
  EXPECT_EQ(drawn_.front().width, 1600u);
  EXPECT_EQ(drawn_.front().theme, ShotTheme::Dark);
  int width = 0, height = 0, channels = 0;
  unsigned char* const pixels =
      stbi_load((folder_ / "p" / "round-003.png").c_str(), &width, &height, &channels, 3);
  ASSERT_NE(pixels, nullptr);
  EXPECT_EQ(pixels[0], 60) << "of round 3";
  stbi_image_free(pixels);
}

TEST_F(Export, APictureHasANameThatSortsItsStep) {
  ASSERT_EQ(run({"missing_barrier,many_blocks", "--threads", "64", "--as", "png", "-o", path("p")}).code, 0);
  const auto all = names("p");
  EXPECT_EQ(std::ranges::count(all, "missing_barrier-round-001-pass-002.png"), 1);
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& name) { return name.starts_with("many_blocks-"); }),
            std::ranges::count(drawn_, "many_blocks", &Drawn::variant));
  EXPECT_EQ(all.size(), drawn_.size());
}

TEST_F(Export, OneRoundIsOnePicture) {
  ASSERT_EQ(run({"sequential", "--rounds", "4", "--panel", "banks", "--theme", "light", "--size", "800x600",
                 "-o", path("a.png")})
                .code,
            0);
  ASSERT_EQ(drawn_.size(), 1u);
  EXPECT_EQ(drawn_[0].panel, "banks");
  EXPECT_EQ(drawn_[0].place, (handout::Place{0, 4, 0}));
  EXPECT_EQ(drawn_[0].theme, ShotTheme::Light);
  EXPECT_EQ(drawn_[0].height, 600u);
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "a.png"));
}

TEST_F(Export, AGifHasItsSteps) {
  ASSERT_EQ(run({"sequential", "--threads", "64", "--speed", "2", "-o", path("a.gif")}).code, 0);
  const std::string gif = contentsOf(folder_ / "a.gif");
  EXPECT_TRUE(gif.starts_with("GIF89a"));
  std::vector<int> times;  // from the control blocks: 21 F9 04 flags, then the time, low byte first
  for (std::size_t at = gif.find("\x21\xf9\x04"); at != std::string::npos;
       at = gif.find("\x21\xf9\x04", at + 1))
    times.push_back(std::uint8_t(gif[at + 4]) + 256 * std::uint8_t(gif[at + 5]));
  EXPECT_EQ(times, (std::vector<int>{50, 50, 50, 50, 50, 50, 50, 150}));
}

TEST_F(Export, APageHasBothThemesUnlessOneIsAskedFor) {
  ASSERT_EQ(run({"sequential", "--threads", "64", "-o", path("a.html")}).code, 0);
  std::string page = contentsOf(folder_ / "a.html");
  EXPECT_NE(page.find("data-theme=\"auto\""), std::string::npos);
  EXPECT_NE(page.find("<figcaption>Panel banks "), std::string::npos);
  EXPECT_EQ(drawn_.size(), 8u * 2 * 5) << "steps, themes, panels and the one for phones";
  drawn_.clear();
  ASSERT_EQ(run({"sequential", "--threads", "64", "--theme", "light", "--question", "--force", "-o",
                 path("a.html")})
                .code,
            0);
  page = contentsOf(folder_ / "a.html");
  EXPECT_NE(page.find("data-theme=\"light\""), std::string::npos);
  EXPECT_NE(page.find("Which threads add?"), std::string::npos);
  EXPECT_EQ(drawn_.size(), 8u * 5);
}

TEST_F(Export, APageTakes64RoundsAndSaysWhichToChoose) {
  const std::vector<std::string> merge{"k_way_merge", "--threads", "32", "-n", "64", "-o", path("a.html")};
  EXPECT_NE(
      refusalOf(merge).find("rounds, and a file takes 64. Choose some of them, such as --rounds 0..63."),
      std::string::npos);
  auto some = merge;
  some.insert(some.end(), {"--rounds", "3..4"});
  EXPECT_EQ(run(some).code, 0);
}

TEST_F(Export, RefusesWhatItCannotBe) {
  const std::string out = path("a.html");
  EXPECT_NE(refusalOf({"sequential"}).find("needs a file to write"), std::string::npos);
  EXPECT_NE(refusalOf({"-o", out}).find("needs a variant"), std::string::npos);
  EXPECT_NE(refusalOf({"sequentiel", "-o", out}).find("Did you mean 'sequential'?"), std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "-o", path("a.pdf")}).find("Say it with --as png, gif, html, csv, md"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--as", "htm", "-o", out}).find("did you mean html?"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--rounds", "5..2", "-o", out}).find("ends before it begins"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--rounds", "99", "-o", out})
                .find("--rounds 99 is not there: the rounds of sequential are 0 to 9."),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--rounds", "3..99", "-o", out})
                .find("--rounds 3..99 goes beyond the last round, which is 9."),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--panel", "bank", "-o", path("a.gif")}).find("did you mean banks?"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--theme", "blue", "-o", out}).find("--theme blue is not one of"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--speed", "9", "-o", path("a.gif")}).find("--speed takes 0.25 to 8"),
            std::string::npos);
  EXPECT_NE(
      refusalOf({"sequential", "-o", path("a.png")}).find("These are 10 pictures. Give a folder's name"),
      std::string::npos);
}

TEST_F(Export, RefusesAnOptionOfAnotherFormat) {
  EXPECT_NE(refusalOf({"sequential", "--speed", "2", "-o", path("a.html")})
                .find("--speed is an option of gif alone"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--question", "-o", path("a.csv")})
                .find("--question is an option of html alone"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--values", "-o", path("a.gif")})
                .find("--values is an option of csv and md alone"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--panel", "banks", "-o", path("a.md")}).find("--panel is an option"),
            std::string::npos);
}

TEST_F(Export, ReplacesOnlyWhatItMay) {
  for (const char* name : {"a.html", "a.csv", "a.gif", "a.md", "a.png"}) {
    writeContents(folder_ / name, "before");
    EXPECT_NE(refusalOf({"sequential", "--threads", "64", "--rounds", "1", "-o", path(name)}, 3)
                  .find("exists already"),
              std::string::npos)
        << name;
    EXPECT_EQ(contentsOf(folder_ / name), "before");
    EXPECT_EQ(run({"sequential", "--threads", "64", "--rounds", "1", "--force", "-o", path(name)}).code, 0);
    EXPECT_NE(contentsOf(folder_ / name), "before") << name;
  }
  std::filesystem::create_directory(folder_ / "p");
  writeContents(folder_ / "p" / "round-001.png", "before");
  EXPECT_NE(
      refusalOf({"sequential", "--threads", "64", "--as", "png", "-o", path("p")}, 3).find("is not empty"),
      std::string::npos);
  EXPECT_EQ(contentsOf(folder_ / "p" / "round-001.png"), "before");
  EXPECT_TRUE(drawn_.size() < 40) << "it is said before anything is drawn";
}

TEST_F(Export, SaysWhyItCannotWriteBeforeItDraws) {
  writeContents(folder_ / "file", "x");
  EXPECT_NE(refusalOf({"sequential", "-o", path("file/a.html")}, 3).find("is not a folder"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "-o", path("none/a.html")}, 3).find("does not exist"),
            std::string::npos);
  EXPECT_NE(refusalOf({"sequential", "--as", "png", "-o", path("none/p")}, 3).find("does not exist"),
            std::string::npos);
  EXPECT_TRUE(drawn_.empty());
}

TEST_F(Export, TellsHowFarItIs) {
  std::vector<float> fractions;
  services_.exportProgress = [&](float fraction, const std::string& doing) {
    if (doing.starts_with("Drawing")) fractions.push_back(fraction);
  };
  ASSERT_EQ(run({"sequential", "--threads", "64", "-o", path("a.gif")}).code, 0);
  ASSERT_EQ(fractions.size(), 8u);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_LT(fractions.back(), 1);
}

TEST_F(Export, WithoutAPainterSaysSo) {
  services_.makePainter = {};
  EXPECT_NE(refusalOf({"sequential", "-o", path("a.gif")}, 3).find("not built in"), std::string::npos);
}

// A variant that is named twice means two traces of it.
TEST_F(Export, APageOfTwoRunsOfAVariantTellsThemApart) {
  std::vector<model::Trace> traces;
  for (const unsigned threads : {64u, 128u})
    traces.push_back(
        hostTrace(*engine::checkedExperiment({.variant = "sequential", .threads = threads}, false)));
  const std::string recording = path("two.stride");
  ASSERT_TRUE(archive::writeRecording(recording, traces, false));
  const CommandRun written =
      runCommand({"export", "sequential,sequential", "-o", path("a.html"), "--engine", recording}, services_);
  ASSERT_EQ(written.code, 0) << written.error;
  const std::string page = contentsOf(folder_ / "a.html");
  EXPECT_NE(page.find("sequential · 64 threads"), std::string::npos);
  EXPECT_NE(page.find("sequential · 128 threads"), std::string::npos);
  EXPECT_EQ(
      runCommand({"export", "sequential,sequential,sequential", "-o", path("b.html"), "--engine", recording},
                 services_)
          .code,
      2);
}

// Names of a recording that no catalogue has: they are text in every format, and lead nowhere.
TEST_F(Export, OfARecordingWithHostileNames) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "sequential", .threads = 32}, false));
  trace.experiment.variant = "../<script>alert(1)</script>";
  trace.executor.device = "=\"<img src=x onerror=alert(1)>\"";
  ASSERT_TRUE(archive::writeRecording(path("h.stride"), {&trace, 1}, false));
  for (const char* name : {"a.html", "a.csv", "a.md"}) {
    const CommandRun ended =
        runCommand({"export", "--engine", path("h.stride"), "-o", path(name)}, services_);
    ASSERT_EQ(ended.code, 0) << ended.error;
    const std::string text = contentsOf(folder_ / name);
    EXPECT_EQ(support::hostileIn(text), "");
    const std::size_t markup = text.find("<img src=x");
    EXPECT_TRUE(markup == std::string::npos || text[markup - 1] == '\\') << name;
  }
  const std::string page = contentsOf(folder_ / "a.html");
  EXPECT_NE(page.find("../&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert(1)"), std::string::npos);
  const CommandRun ended =
      runCommand({"export", "--engine", path("h.stride"), "--as", "png", "-o", path("p")}, services_);
  ASSERT_EQ(ended.code, 0) << ended.error;
  for (const std::string& name : names("p")) EXPECT_TRUE(name.starts_with("round-")) << name;
}

}  // namespace
}  // namespace stridescope::cli
