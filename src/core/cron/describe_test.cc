#include "core/cron/describe.h"

#include "core/cron/compile.h"
#include "core/cron/every.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace belfry::core {
namespace {

std::string sentence(std::string_view text, Dialect dialect = Dialect::kStandard,
                     std::string_view key = "") {
  const auto syntax = parse_syntax(text, dialect, key);
  return syntax ? describe(*syntax) : "refused: " + to_string(syntax.error());
}

struct Row {
  std::string_view expression;
  std::string_view sentence;
};

constexpr Row kRows[] = {
    {"* * * * *", "Every minute"},
    {"*/1 * * * *", "Every minute"},
    {"*/15 * * * *", "Every 15 minutes"},
    {"*/7 * * * *", "Every 7 minutes from the full hour (0, 7, … 56)"},
    {"*/45 * * * *", "Every 45 minutes from the full hour (0 and 45)"},
    {"*/60 * * * *", "Every 60 minutes, on the full hour"},
    {"0 * * * *", "Every hour, on the hour"},
    {"0 0-23 * * *", "Every hour from 00:00 to 23:00, every day"},
    {"30 * * * *", "At minute 30 of every hour"},
    {"0,30 * * * *", "At minutes 0 and 30 of every hour"},
    {"5/15 * * * *", "At minutes 5, 20, 35 and 50 of every hour"},
    {"10-20 * * * *", "At every minute from 10 to 20 of every hour"},
    {"0-59 * * * *", "At every minute from 0 to 59 of every hour"},
    {"7-59/5 * * * *", "At every 5th minute from 7 to 57 of every hour"},
    {"1-4,9,30-32 * * * *", "At minutes 1 to 4, 9 and 30 to 32 of every hour"},
    {"*/5,7 * * * *", "At every 5th minute (0, 5, … 55) and minute 7 of every hour"},
    {"7,*/5 * * * *", "At minute 7 and every 5th minute (0, 5, … 55) of every hour"},
    {"*/5,*/7 0 1 1 *",
     "At every 5th minute (0, 5, … 55) and every 7th minute (0, 7, … 56) past hour 00, on 1 "
     "January"},
    {"1,2/5 * * * *", "At minute 1 and every 5th minute from 2 to 57 of every hour"},
    {"30 2 * * *", "At 02:30 every day"},
    {"0 0 * * *", "At 00:00 every day"},
    {"15,45 1,13 * * *", "At 01:15, 01:45, 13:15 and 13:45 every day"},
    {"0,10,20 8-10 * * *", "At minutes 0, 10 and 20 past every hour from 08 to 10, every day"},
    {"0,30 8-18 * * 1-5", "At minutes 0 and 30 past every hour from 08 to 18, Monday to Friday"},
    {"0 8-18 * * 1-5", "Every hour from 08:00 to 18:00, Monday to Friday"},
    {"30 8-22/2 * * *", "Every 2 hours from 08:30 to 22:30, every day"},
    {"0 */2 * * *", "Every 2 hours from 00:00, every day"},
    {"30 */2 * * *", "Every 2 hours from 00:30, every day"},
    {"0 */5 * * *", "Every 5 hours from 00:00 (00:00, 05:00, … 20:00), every day"},
    {"15 */24 * * *", "Every 24 hours, at 00:15, every day"},
    {"0 0-22/2 * * *", "Every 2 hours from 00:00 to 22:00, every day"},
    {"0,30 */2 * * *", "At minutes 0 and 30 past every 2nd hour (00, 02, … 22), every day"},
    {"0,30 0-22/2 * * *", "At minutes 0 and 30 past every 2nd hour from 00 to 22, every day"},
    {"20 */7,3 * * *", "At minute 20 past every 7th hour (00, 07, … 21) and hour 03, every day"},
    {"* 2 * * *", "Every minute from 02:00 to 02:59, every day"},
    {"*/15 2 * * *", "Every 15 minutes from 02:00 to 02:59, every day"},
    {"*/15 8-18 * * *", "Every 15 minutes from 08:00 to 18:59, every day"},
    {"*/15 1,13 * * *", "Every 15 minutes from 01:00 to 01:59 and from 13:00 to 13:59, every day"},
    {"*/10 0,6,12,18 * * *", "Every 10 minutes during hours 00, 06, 12 and 18, every day"},
    {"*/10 */2 * * *", "Every 10 minutes during every 2nd hour from 00 to 22, every day"},
    {"*/7 8-18 * * *",
     "Every 7 minutes from the full hour (0, 7, … 56), from 08:00 to 18:59, every day"},
    {"*/60 2 * * *", "Every 60 minutes, on the full hour, from 02:00 to 02:59, every day"},
    {"*/1,5 3 * * *", "At every minute past hour 03, every day"},
    {"0 9 * * 1", "At 09:00 on Mondays"},
    {"0 9 * * 1-5", "At 09:00, Monday to Friday"},
    {"0 9 * * 6,7", "At 09:00 on Saturdays and Sundays"},
    {"0 9 * * 5-7", "At 09:00, Friday to Sunday"},
    {"0 9 * * 0-4", "At 09:00, Sunday to Thursday"},
    {"0 9 * * 1,3,5", "At 09:00 on Mondays, Wednesdays and Fridays"},
    {"0 9 * * 1-3,5", "At 09:00 on Mondays, Tuesdays, Wednesdays and Fridays"},
    {"0 9 * * */2", "At 09:00 on Tuesdays, Thursdays, Saturdays and Sundays"},
    {"0 9 * * 0-6", "At 09:00, Monday to Sunday"},
    {"* * * * 1", "Every minute on Mondays"},
    {"*/5 * * * 1-5", "Every 5 minutes, Monday to Friday"},
    {"0 0 1 * *", "At 00:00 on the 1st of every month"},
    {"0 0 1,15 * *", "At 00:00 on the 1st and 15th of every month"},
    {"0 0 1-7 * *", "At 00:00 from the 1st to the 7th of every month"},
    {"0 0 1,5-9,20 * *", "At 00:00 on the 1st, 5th to 9th and 20th of every month"},
    {"0 0 */2 * *", "At 00:00 on every 2nd day from the 1st to the 31st of every month"},
    {"0 0 */15 * *", "At 00:00 on the 1st, 16th and 31st of every month"},
    {"0 0 1-31 * *", "At 00:00 from the 1st to the 31st of every month"},
    {"* * 18 * *", "Every minute on the 18th of every month"},
    {"0 0 L * *", "At 00:00 on the last day of every month"},
    {"0 0 L-1 * *", "At 00:00, 1 day before the last day of every month"},
    {"0 0 L-3 * *", "At 00:00, 3 days before the last day of every month"},
    {"0 0 L-3,L-5 * *", "At 00:00, 3 and 5 days before the last day of every month"},
    {"0 0 15W * *", "At 00:00 on the weekday nearest to the 15th of every month"},
    {"0 0 1W,15W * *", "At 00:00 on the weekdays nearest to the 1st and 15th of every month"},
    {"0 0 LW * *", "At 00:00 on the last weekday of every month"},
    {"0 0 L-2W * *",
     "At 00:00 on the weekday nearest to 2 days before the last day of every month"},
    {"0 0 L-2W,L-4W * *",
     "At 00:00 on the weekdays nearest to 2 and 4 days before the last day of every month"},
    {"0 0 1,15,L * *", "At 00:00 on the 1st and 15th and on the last day of every month"},
    {"0 0 1,L-2,20W,LW * *",
     "At 00:00 on the 1st, 2 days before the last day, on the weekday nearest to the 20th and on "
     "the last weekday of every month"},
    {"0 0 * * 5L", "At 00:00 on the last Friday of every month"},
    {"0 14 * * MON#1", "At 14:00 on the first Monday of every month"},
    {"0 14 * * MON#1,MON#3", "At 14:00 on the first and third Monday of every month"},
    {"0 14 * * 1#1,0#5,5L",
     "At 14:00 on the first Monday, the last Friday and the fifth Sunday of every month"},
    {"0 14 * * MON,FRIL", "At 14:00 on Mondays and on the last Friday of every month"},
    {"0 14 * JAN,JUL MON,FRIL",
     "At 14:00 on Mondays and on the last Friday of the month, but only in January and July"},
    {"0 14 * JUN-AUG MON#1", "At 14:00 on the first Monday of every month from June to August"},
    {"0 0 13 * FRI", "At 00:00 on the 13th of every month or on any Friday"},
    {"0 0 13 10 FRI", "At 00:00 on the 13th of the month or on any Friday, but only in October"},
    {"0 0 1,15 * 1-5",
     "At 00:00 on the 1st and 15th of every month or on any day from Monday to Friday"},
    {"0 0 L * MON#1",
     "At 00:00 on the last day of every month or on the first Monday of every month"},
    {"0 0 1-7 6-8 MON,WED",
     "At 00:00 from the 1st to the 7th of the month or on any Monday or Wednesday, but only from "
     "June to August"},
    {"0 0 */2 * 1",
     "At 00:00 on every 2nd day from the 1st to the 31st of every month or on any Monday"},
    {"0 0 13 * MON,FRIL",
     "At 00:00 on the 13th of every month or on any Monday or on the last Friday of every month"},
    {"0 0 1 1 *", "At 00:00 on 1 January"},
    {"0 0 29 2 *", "At 00:00 on 29 February"},
    {"0 0 31 4,6 *", "At 00:00 on the 31st of April and June"},
    {"0 0 1,15 1 *", "At 00:00 on the 1st and 15th of January"},
    {"0 12 15 */3 *", "At 12:00 on the 15th of January, April, July and October"},
    {"0 12 15 6-8 *", "At 12:00 on the 15th of every month from June to August"},
    {"0 12 L 6-8 *", "At 12:00 on the last day of every month from June to August"},
    {"30 2 * 7 *", "At 02:30 every day in July"},
    {"30 2 * 6-8 *", "At 02:30 every day from June to August"},
    {"* * * 7 *", "Every minute in July"},
    {"* * * 7,8,10 *", "Every minute in July, August and October"},
    {"0 9 * 12 1-5", "At 09:00, Monday to Friday in December"},
    {"0 9 * 11,12 MON", "At 09:00 on Mondays in November and December"},
    {"0 9 * 1-12 *", "At 09:00 every day"},
    {"* * * * * *", "Every second"},
    {"*/10 * * * * *", "Every 10 seconds"},
    {"*/7 * * * * *", "Every 7 seconds from the full minute (0, 7, … 56)"},
    {"*/60 * * * * *", "Every 60 seconds, on the full minute"},
    {"0 * * * * *", "Every minute"},
    {"30 * * * * *", "At second 30 of every minute"},
    {"15,45 * * * * *", "At seconds 15 and 45 of every minute"},
    {"10-20 * * * * *", "At every second from 10 to 20 of every minute"},
    {"3/5 * * * * *", "At every 5th second from 3 to 58 of every minute"},
    {"30 5 * * * *", "At second 30 of minute 5 of every hour"},
    {"30 */5 * * * *", "At second 30 of every 5th minute (0, 5, … 55) of every hour"},
    {"15 30 2 * * *", "At 02:30:15 every day"},
    {"0,30 30 2 * * *", "At 02:30:00 and 02:30:30 every day"},
    {"*/10 30 2 * * *", "Every 10 seconds from 02:30:00 to 02:30:59, every day"},
    {"* 30-45 2 * * *", "Every second from 02:30:00 to 02:45:59, every day"},
    {"* 30 * * * *", "Every second during minute 30 of every hour"},
    {"*/10 * 8-18 * * *", "Every 10 seconds from 08:00:00 to 18:59:59, every day"},
    {"*/7 0 12 * * *",
     "Every 7 seconds from the full minute (0, 7, … 56), from 12:00:00 to 12:00:59, every day"},
    {"*/20 */10 * * * *", "Every 20 seconds during every 10th minute (0, 10, … 50) of every hour"},
    {"30 * 2 * * *", "At second 30 of every minute from 02:00 to 02:59, every day"},
    {"15,45 0,30 */2 * * *",
     "At seconds 15 and 45 of minutes 0 and 30 past every 2nd hour (00, 02, … 22), every day"},
    {"*/60 30 2 * * *",
     "Every 60 seconds, on the full minute, from 02:30:00 to 02:30:59, every day"},
    {"0 0 0 1 1 * 2030", "At 00:00 on 1 January 2030"},
    {"0 0 0 * * * 2030", "At 00:00 every day in 2030"},
    {"0 0 0 * 7 * 2030", "At 00:00 every day in July 2030"},
    {"0 0 0 * 7 * 2030,2031", "At 00:00 every day in July, in 2030 and 2031"},
    {"0 0 0 1 * * 2030", "At 00:00 on the 1st of every month, in 2030"},
    {"0 0 0 1 1 * 2030,2032", "At 00:00 on 1 January, in 2030 and 2032"},
    {"0 0 0 * * * 2026-2030", "At 00:00 every day from 2026 to 2030"},
    {"0 0 0 * * * 2030-2199", "At 00:00 every day from 2030 on"},
    {"0 0 0 ? * MON 2026,2028-2030", "At 00:00 on Mondays, in 2026 and 2028 to 2030"},
    {"0 */15 * * * * 2030", "Every 15 minutes in 2030"},
    {"0 0 0 29 2 * 2024/4", "At 00:00 on 29 February, in every 4th year from 2024 to 2196"},
    {"0 0 0 * * * *", "At 00:00 every day"},
    {"0 0 9 ? * SUN-SAT *", "At 09:00, Monday to Sunday"},
    {"0 */15 6 * * * 2026-2028",
     "Every 15 minutes from 06:00 to 06:59, every day from 2026 to 2028"},
};

TEST(DescribeTest, SaysEachExpressionInWords) {
  for (const Row& row : kRows) EXPECT_EQ(sentence(row.expression), row.sentence) << row.expression;
}

TEST(DescribeTest, SaysShorthandsLikeWhatTheyStandFor) {
  EXPECT_EQ(sentence("@yearly"), "At 00:00 on 1 January");
  EXPECT_EQ(sentence("@annually"), "At 00:00 on 1 January");
  EXPECT_EQ(sentence("@monthly"), "At 00:00 on the 1st of every month");
  EXPECT_EQ(sentence("@weekly"), "At 00:00 on Sundays");
  EXPECT_EQ(sentence("@daily"), "At 00:00 every day");
  EXPECT_EQ(sentence("@midnight"), "At 00:00 every day");
  EXPECT_EQ(sentence("@hourly"), "Every hour, on the hour");
}

TEST(DescribeTest, NamesTheWeekdayThatTheDialectMeans) {
  EXPECT_EQ(sentence("0 0 14 ? * 2#1"), "At 14:00 on the first Tuesday of every month");
  EXPECT_EQ(sentence("0 0 14 ? * 2#1", Dialect::kQuartz),
            "At 14:00 on the first Monday of every month");
  EXPECT_EQ(sentence("0 0 9 ? * 2-6", Dialect::kQuartz), "At 09:00, Monday to Friday");
}

TEST(DescribeTest, SaysTheValuesThatHStandsFor) {
  const std::string key = "acme/report";
  const auto hashed = parse_syntax("H H(0-5) H * *", Dialect::kStandard, key);
  ASSERT_TRUE(hashed);
  const std::string resolved = std::to_string((*hashed)[Field::kMinute].elements[0].first) + " " +
                               std::to_string((*hashed)[Field::kHour].elements[0].first) + " " +
                               std::to_string((*hashed)[Field::kDayOfMonth].elements[0].first) +
                               " * *";
  EXPECT_EQ(describe(*hashed), sentence(resolved));
}

TEST(DescribeTest, SaysIntervals) {
  using std::chrono::seconds;
  EXPECT_EQ(describe_every(seconds(1)), "Every second");
  EXPECT_EQ(describe_every(seconds(2)), "Every 2 seconds");
  EXPECT_EQ(describe_every(seconds(60)), "Every minute");
  EXPECT_EQ(describe_every(seconds(61)), "Every 61 seconds");
  EXPECT_EQ(describe_every(seconds(90)), "Every 90 seconds");
  EXPECT_EQ(describe_every(seconds(120)), "Every 2 minutes");
  EXPECT_EQ(describe_every(seconds(150)), "Every 2 minutes 30 seconds");
  EXPECT_EQ(describe_every(seconds(600)), "Every 10 minutes");
  EXPECT_EQ(describe_every(seconds(3'600)), "Every hour");
  EXPECT_EQ(describe_every(seconds(3'661)), "Every 1 hour 1 minute 1 second");
  EXPECT_EQ(describe_every(seconds(5'400)), "Every 1 hour 30 minutes");
  EXPECT_EQ(describe_every(seconds(86'400)), "Every 24 hours");
  EXPECT_EQ(describe_every(seconds(172'801)), "Every 48 hours 1 second");
}

// Collects sentences; complains when one of them has been used for another meaning.
class Sentences {
 public:
  void add(const std::string& text, const CronSyntax& syntax) {
    const std::string words = describe(syntax);
    ASSERT_FALSE(words.empty()) << text;
    const CronExpression meaning = compile(syntax);
    const auto [known, added] = by_words_.try_emplace(words, text, meaning);
    ++described_;
    if (added) return;
    EXPECT_TRUE(known->second.second == meaning)
        << text << " and " << known->second.first << " are both \"" << words << '"';
  }
  std::size_t described() const { return described_; }
  std::size_t different() const { return by_words_.size(); }

 private:
  std::map<std::string, std::pair<std::string, CronExpression>> by_words_;
  std::size_t described_ = 0;
};

TEST(DescribeTest, ConformanceDataOfDifferentMeaningHasDifferentSentences) {
  Sentences sentences;
  std::map<std::string, std::chrono::seconds> intervals;
  for (const char* file : {"basic", "days", "seconds", "year", "special", "quartz", "dst", "edge",
                           "macros", "every", "never", "peers", "hash"}) {
    std::ifstream in(std::string(BELFRY_CRON_DATA) + "/" + file + ".tsv");
    ASSERT_TRUE(in) << file;
    const Dialect dialect = std::string(file) == "quartz" ? Dialect::kQuartz : Dialect::kStandard;
    for (std::string line; std::getline(in, line);) {
      const std::string text = line.substr(0, line.find('\t'));
      if (is_every(text)) {
        const auto interval = parse_every(text);
        ASSERT_TRUE(interval) << text;
        const auto known = intervals.try_emplace(describe_every(*interval), *interval).first;
        EXPECT_EQ(known->second, *interval) << text;
        continue;
      }
      const auto syntax = parse_syntax(text, dialect, "key");
      ASSERT_TRUE(syntax) << text;
      sentences.add(text, *syntax);
    }
  }
  RecordProperty("described", static_cast<int>(sentences.described()));
  RecordProperty("different", static_cast<int>(sentences.different()));
  EXPECT_GT(sentences.described(), 3'000U);
  EXPECT_GT(sentences.different(), 2'500U);
}

// Expressions put together from pieces that are likely to be confused with each other.
class Pieces {
 public:
  std::string expression() {
    static const std::vector<std::string> kTimes{
        "*",    "0",      "*/1",   "*/2",   "0-23",    "*/5",  "*/7",     "*/20",
        "0,12", "7,*/5",  "*/5,7", "*/2,1", "0-22/2",  "1,13", "5/7",     "8-18",
        "*/23", "3,8-10", "*/1,5", "5,*/1", "*/2,1/2", "0/2",  "1,2/5,9", "0,5,10,15,20"};
    static const std::vector<std::string> kDays{
        "*",   "?",    "1",  "*/2", "1-31", "1,15",    "13",   "L",      "L-1",   "L-3,L-5",
        "15W", "L-3W", "LW", "1,L", "1-7",  "8-14,20", "L,LW", "1W,15W", "L,L-1", "1W,15"};
    static const std::vector<std::string> kMonths{"*", "1", "1-12", "6-8", "*/3", "1,2", "*/2"};
    static const std::vector<std::string> kWeekdays{
        "*",    "?",    "0",   "1-5", "0-6", "5-7", "1,3,5",  "MON#1",     "MON#1,MON#3",
        "FRIL", "1,5L", "0,6", "0-4", "*/2", "2#5", "1-5,5L", "1#1,5#1,5L"};
    static const std::vector<std::string> kYears{"*",   "2030",           "2030,2031", "2026-2030",
                                                 "*/2", "2026,2028-2030", "2030-2199", "2199"};
    std::string text = any(kTimes) + " " + any(kTimes) + " " + any(kTimes) + " " + any(kDays);
    text += " " + any(kMonths) + " " + any(kWeekdays);
    return random_() % 3 == 0 ? text + " " + any(kYears) : text;
  }

 private:
  const std::string& any(const std::vector<std::string>& pieces) {
    return pieces[random_() % pieces.size()];
  }
  std::mt19937_64 random_{1};
};

TEST(DescribeTest, RandomExpressionsOfDifferentMeaningHaveDifferentSentences) {
  Sentences sentences;
  Pieces pieces;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = pieces.expression();
    const auto syntax = parse_syntax(text, Dialect::kStandard, "");
    if (syntax) sentences.add(text, *syntax);
  }
  EXPECT_GT(sentences.different(), 15'000U);
}

// Time fields alone, so that every pair of pieces meets.
TEST(DescribeTest, TimesOfDifferentMeaningHaveDifferentSentences) {
  Sentences sentences;
  const std::array<std::string, 20> pieces{
      "*",     "0",      "*/1",  "*/2", "0-23", "*/5",  "*/7",   "*/20",  "0,12",  "7,*/5",
      "*/5,7", "0-22/2", "1,13", "5/7", "8-18", "*/23", "*/1,5", "5,*/1", "20-23", "*/2,1/2"};
  for (const std::string& seconds : pieces) {
    for (const std::string& minutes : pieces) {
      for (const std::string& hours : pieces) {
        std::string text = seconds;
        text.append(" ").append(minutes).append(" ").append(hours).append(" * * *");
        const auto syntax = parse_syntax(text, Dialect::kStandard, "");
        ASSERT_TRUE(syntax) << text;
        sentences.add(text, *syntax);
      }
    }
  }
  EXPECT_EQ(sentences.described(), 8'000U);
}

// "0,2,5": the positions of the bits, as a list.
std::string as_list(std::uint64_t bits, int shift) {
  std::string text;
  for (int i = 0; i < 64; ++i) {
    if ((bits >> i & 1U) == 0) continue;
    if (!text.empty()) text += ',';
    text += std::to_string(i + shift);
  }
  return text;
}

TEST(DescribeTest, EverySetOfWeekdaysAndOfMonthsHasItsOwnSentence) {
  Sentences sentences;
  const auto add = [&sentences](const std::string& text) {
    const auto syntax = parse_syntax(text, Dialect::kStandard, "");
    ASSERT_TRUE(syntax) << text;
    sentences.add(text, *syntax);
  };
  for (std::uint64_t days = 1; days < 1U << 7; ++days) {
    add("0 0 * * " + as_list(days, 0));
    add("0 0 1 * " + as_list(days, 0));
  }
  for (std::uint64_t months = 1; months < (1U << 12) - 1; ++months) {
    add("0 0 * " + as_list(months, 1) + " *");
    add("0 0 1 " + as_list(months, 1) + " *");
  }
  EXPECT_EQ(sentences.different(), sentences.described());
}

TEST(DescribeTest, SetsOfHoursMinutesDaysAndYearsHaveTheirOwnSentences) {
  Sentences sentences;
  std::mt19937_64 random(1);
  for (int i = 0; i < 2'000; ++i) {
    // Dense and sparse sets in turn: the first have ranges, the second steps and single values.
    const std::uint64_t sparse = random() & random() & random();
    const std::uint64_t bits = (i % 2 == 0 ? sparse : ~sparse) | 1U;
    const std::string hours = as_list(bits & 0xff'ffff, 0);
    const std::string minutes = as_list(bits & 0xfff'ffff'ffff'ffff, 0);
    const std::string days = as_list(bits & 0x7fff'ffff, 1);
    const std::string years = as_list(bits & 0xffff'ffff, 2168);
    for (const std::string& text :
         {"0 " + hours + " * * *", minutes + " 5 * * *", "0 0 " + days + " * *",
          "0 0 0 1 1 * " + years, minutes + " 5 5 * * *"}) {
      const auto syntax = parse_syntax(text, Dialect::kStandard, "");
      ASSERT_TRUE(syntax) << text;
      sentences.add(text, *syntax);
    }
  }
  EXPECT_GT(sentences.different(), 9'000U);
}

}  // namespace
}  // namespace belfry::core
