// Messages between two processes: what is sent arrives, in whatever pieces; what is damaged is refused.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <random>
#include <thread>
#include <typeinfo>

#include "../model/sample_traces.h"
#include "engine/worker/rpc_message.h"
#include "measure/timing_device.h"
#include "support/described.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;

std::vector<std::byte> bytesOf(const model::Trace& trace) {
  ByteWriter writer;
  writer(trace);
  return {writer.bytes().begin(), writer.bytes().end()};
}

std::optional<model::Trace> traceOf(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  model::Trace trace;
  reader(trace);
  return reader.isComplete() ? std::optional(trace) : std::nullopt;
}

model::Executor deviceCalled(const std::string& name) {
  model::Executor executor;
  executor.device = name;
  return executor;
}

TEST(ByteArchive, GivesBackEveryField) {
  EXPECT_EQ(traceOf(bytesOf(model::sample::everyField())), model::sample::everyField());
  EXPECT_EQ(traceOf(bytesOf(model::sample::empty())), model::sample::empty());
  std::mt19937_64 generator(3);
  for (int i = 0; i < 200; ++i) {
    const model::Trace trace = model::sample::random(generator);
    ASSERT_EQ(traceOf(bytesOf(trace)), trace) << i;
  }
}

template <class Struct>
void expectItArrives() {
  const auto sent = support::filled<Struct>();
  ByteWriter writer;
  writer(sent);
  Struct back{};
  ByteReader reader(writer.bytes());
  reader(back);
  EXPECT_TRUE(reader.isComplete()) << typeid(Struct).name();
  EXPECT_TRUE(support::sameFields(back, sent)) << typeid(Struct).name();
  EXPECT_FALSE(support::sameFields(back, Struct{})) << typeid(Struct).name();
  for (std::size_t length = 0; length < writer.bytes().size(); ++length) {
    ByteReader cut(writer.bytes().first(length));
    cut(back);
    ASSERT_FALSE(cut.isComplete()) << typeid(Struct).name() << " " << length;
  }
}

template <class... Structs>
void expectTheyArrive() {
  (expectItArrives<Structs>(), ...);
}

TEST(ByteArchive, GivesBackEveryStructureThatIsDescribed) {
  expectTheyArrive<Error, Greeting, ProgressReport, Failure>();
  expectTheyArrive<model::Experiment, model::Kernel, model::FixedLaunch, model::CustomOperator,
                   model::GivenData, model::Executor, model::Array, model::Problem, model::Site,
                   model::LaunchTrace, model::TrialFinding, model::OperatorTrial, model::Trace>();
  expectTheyArrive<model::TimingSubject, model::TimingSample, model::TimingCase, model::TimingRecord>();
  expectTheyArrive<measure::Interval, measure::Summary, measure::MeasuredCeiling, measure::TimingDeviceFacts,
                   measure::PreparedSubject, measure::Timed>();
}

// A list that says it has more elements than the bytes that are left could be is refused before memory is
// taken.
TEST(ByteArchive, KnowsTheLeastThatAStructureTakes) {
  static_assert(leastBytesOf<model::Executor>() == 1 + 5 * 8);
  static_assert(leastBytesOf<model::Array>() == 8 + 4 + 8 + 1 + 1 + 8 + 8 + 4);
  static_assert(leastBytesOf<model::CustomOperator>() == 8 + 8 + 8);
  static_assert(leastBytesOf<model::SharedData>() == 1);
  static_assert(leastBytesOf<std::optional<measure::MeasuredCeiling>>() == 1);
  static_assert(leastBytesOf<std::vector<int>>() == 8);
  static_assert(leastBytesOf<bool>() == 1);
}

namespace form {
struct One {
  int size = 0;
};
struct Same {
  int size = 0;
};
struct Larger {
  long long size = 0;
};
struct Renamed {
  int size = 0;
};
template <class Fields, class Value>
requires Described<Value, One> || Described<Value, Same> || Described<Value, Larger> ||
    Described<Value, Renamed>
constexpr void describe(Fields&& fields, Value& value) {
  fields(Described<Value, Renamed> ? "other" : "size", value.size);
}
}  // namespace form

// Two programs that would misread each other do not try.
TEST(ByteArchive, TheFormChangesWithTheFields) {
  static_assert(formOf<form::One>() == formOf<form::Same>());
  static_assert(formOf<form::One>() != formOf<form::Larger>());
  static_assert(formOf<form::One>() != formOf<form::Renamed>());
  static_assert(formOf<std::vector<form::One>>() != formOf<std::vector<form::Larger>>());
  static_assert(formOf<std::optional<form::One>>() != formOf<std::optional<form::Renamed>>());
}

TEST(ByteArchive, RefusesWhatIsCutOrTooLong) {
  std::vector<std::byte> bytes = bytesOf(model::sample::everyField());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(traceOf(std::span(bytes).first(length))) << length;
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(traceOf(bytes));
}

// Whatever it gives, it neither crashes nor takes memory that the bytes could not fill (the sanitizers see
// to that).
TEST(ByteArchive, SurvivesAnyDamage) {
  const std::vector<std::byte> whole = bytesOf(model::sample::everyField());
  std::mt19937_64 generator(5);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> bytes = whole;
    for (int k = 0; k < 3; ++k) bytes[generator() % bytes.size()] = std::byte(generator() % 256);
    (void)traceOf(bytes);
  }
}

// Every empty list is sent in 8 bytes and takes three times as many.
TEST(ByteArchive, TakesNoMoreMemoryThanIsAllowed) {
  const std::vector<std::vector<int>> lists(1000);
  ByteWriter writer;
  writer(lists);
  const auto isRead = [&](std::uint64_t mostMemory) {
    ByteReader reader(writer.bytes(), mostMemory);
    std::vector<std::vector<int>> back;
    reader(back);
    return reader.isComplete() && back == lists;
  };
  const std::uint64_t needed = 1000 * sizeof(std::vector<int>);
  EXPECT_TRUE(isRead(0));
  EXPECT_TRUE(isRead(needed));
  EXPECT_FALSE(isRead(needed - 1));
}

TEST(ByteArchive, AFlagIsZeroOrOne) {
  const std::array bytes{std::byte{2}};
  ByteReader reader(bytes);
  bool flag = false;
  reader(flag);
  EXPECT_FALSE(reader.isComplete());
}

class MessageTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0); }
  void TearDown() override {
    ::close(ends[0]);
    closeSender();
  }
  void closeSender() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  void sendRaw(std::span<const std::byte> bytes) {
    ASSERT_EQ(::send(ends[1], bytes.data(), bytes.size(), MSG_NOSIGNAL), ssize_t(bytes.size()));
  }
  // The bytes that a message goes over the socket as.
  std::vector<std::byte> rawMessage(const model::Executor& body) {
    EXPECT_TRUE(sendMessage(to(), {MessageKind::Reply, 7, 9}, body));
    std::vector<std::byte> bytes(4096);
    bytes.resize(std::size_t(::recv(ends[0], bytes.data(), bytes.size(), 0)));
    return bytes;
  }

  ByteStream from() const { return ByteStream(ends[0]); }
  ByteStream to() const { return ByteStream(ends[1]); }

  std::array<int, 2> ends{-1, -1};
};

TEST_F(MessageTest, ArrivesByteByByte) {
  const model::Executor executor = deviceCalled("a device");
  const std::vector<std::byte> bytes = rawMessage(executor);
  MessageReader reader(from());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_TRUE(std::holds_alternative<std::monostate>(reader.next(0ms))) << i;
    EXPECT_EQ(reader.bytesArrived(), i);
    sendRaw(std::span(bytes).subspan(i, 1));
  }
  const auto arrived = reader.next(1s);
  const auto* message = std::get_if<Message>(&arrived);
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(message->subject.kind, MessageKind::Reply);
  EXPECT_EQ(message->subject.type, 7u);
  EXPECT_EQ(message->subject.call, 9u);
  EXPECT_EQ(message->body<model::Executor>(), executor);
  EXPECT_FALSE(message->body<model::Trace>());
}

TEST_F(MessageTest, SeveralAtOnceAreToldApart) {
  for (std::uint32_t i = 0; i < 5; ++i)
    ASSERT_TRUE(sendBytes(to(), {.kind = MessageKind::Cancel, .call = i}, {}));
  closeSender();
  MessageReader reader(from());
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto arrived = reader.next(1s);
    ASSERT_TRUE(std::holds_alternative<Message>(arrived));
    EXPECT_EQ(std::get<Message>(arrived).subject.call, i);
    EXPECT_EQ(std::get<Message>(arrived).bytes, 0u);
  }
  EXPECT_EQ(std::get<ReadEnd>(reader.next(1s)), ReadEnd::Closed);
  EXPECT_EQ(std::get<ReadEnd>(reader.next(1s)), ReadEnd::Closed);
}

// Far more than a socket holds: sent and read at the same time.
TEST_F(MessageTest, ALargeTraceArrivesWhole) {
  const model::Trace trace = model::sample::withEvents(1024, 1024);
  std::thread sender([&] { EXPECT_TRUE(sendMessage(to(), {.kind = MessageKind::Reply}, trace)); });
  MessageReader reader(from());
  const auto arrived = reader.next(30s);
  sender.join();
  ASSERT_TRUE(std::holds_alternative<Message>(arrived));
  EXPECT_TRUE(std::get<Message>(arrived).body<model::Trace>() == trace);
}

TEST_F(MessageTest, CutInTheMiddleIsClosed) {
  std::vector<std::byte> bytes = rawMessage(deviceCalled("a device"));
  bytes.pop_back();
  sendRaw(bytes);
  closeSender();
  MessageReader reader(from());
  EXPECT_EQ(std::get<ReadEnd>(reader.next(1s)), ReadEnd::Closed);
}

// The head: mark and format of 4 bytes each, kind and type of 2, call of 4, and the body's length in 8.
TEST_F(MessageTest, AHeadThatMakesNoSenseIsNonsense) {
  const std::vector<std::byte> good = rawMessage(deviceCalled("a device"));
  struct Damage {
    std::size_t place;
    std::byte value;
  };
  for (const auto& [place, value] : {Damage{0, std::byte{1}},
                                     {4, std::byte((kRpcFormat + 1) & 0xff)},
                                     {8, std::byte{200}},
                                     {8, std::byte(std::uint16_t(kLastMessageKind) + 1)},
                                     {22, std::byte{1}}}) {
    SCOPED_TRACE(place);
    std::vector<std::byte> bytes = good;
    bytes[place] = value;
    sendRaw(bytes);
    MessageReader reader(from());
    EXPECT_EQ(std::get<ReadEnd>(reader.next(1s)), ReadEnd::Nonsense);
    EXPECT_EQ(std::get<ReadEnd>(reader.next(0ms)), ReadEnd::Nonsense);
    std::array<std::byte, 4096> rest{};
    ::recv(ends[0], rest.data(), rest.size(), MSG_DONTWAIT);
  }
}

TEST_F(MessageTest, OnlyACallOrAReplyMayBeLong) {
  const auto endOf = [&](MessageKind kind, std::uint64_t bytes, std::uint64_t most) {
    std::vector<std::byte> head = rawMessage(deviceCalled("a device"));
    head.resize(24);
    std::memcpy(head.data() + 8, &kind, 2);
    std::memcpy(head.data() + 16, &bytes, 8);
    sendRaw(head);
    return std::holds_alternative<ReadEnd>(MessageReader(from(), most).next(0ms));
  };
  for (const MessageKind kind : {MessageKind::Greeting, MessageKind::Ready, MessageKind::Cancel,
                                 MessageKind::Progress, MessageKind::Failed}) {
    EXPECT_FALSE(endOf(kind, 4 << 20, kMaxBodyBytes));
    EXPECT_TRUE(endOf(kind, (4 << 20) + 1, kMaxBodyBytes));
    EXPECT_TRUE(endOf(kind, 1 << 30, kMaxBodyBytes));
  }
  for (const MessageKind kind : {MessageKind::Call, MessageKind::Reply}) {
    EXPECT_FALSE(endOf(kind, kMaxBodyBytes, kMaxBodyBytes));
    EXPECT_TRUE(endOf(kind, kMaxBodyBytes + 1, kMaxBodyBytes));
    EXPECT_FALSE(endOf(kind, 1000, 1000));
    EXPECT_TRUE(endOf(kind, 1001, 1000));
  }
}

TEST(Service, TheFormIsThatOfAllItsCalls) {
  constexpr CallType<int, std::string> kOne{1};
  constexpr CallType<int, model::Trace> kOther{1};
  constexpr CallType<int, std::string> kMoved{2};
  static_assert(serviceOf<Nothing>("a", kOne).form == serviceOf<Nothing>("b", kOne).form);
  static_assert(serviceOf<Nothing>("a", kOne).form != serviceOf<Nothing>("a", kOther).form);
  static_assert(serviceOf<Nothing>("a", kOne).form != serviceOf<Nothing>("a", kMoved).form);
  static_assert(serviceOf<Nothing>("a", kOne).form != serviceOf<model::Executor>("a", kOne).form);
  EXPECT_NE(greetingOf(serviceOf<Nothing>("a", kOne)).version, "");
}

TEST_F(MessageTest, SendingToNobodyIsNoSignal) {
  ::close(ends[0]);
  ends[0] = -1;
  EXPECT_FALSE(sendMessage(to(), {.kind = MessageKind::Reply}, model::sample::everyField()));
}

}  // namespace
}  // namespace stridescope::engine::worker
