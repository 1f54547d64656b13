#include "cli/cron/cron_batch.h"
#include "cli/cron/cron_commands.h"
#include "cli/frame/verbs.h"

#include <memory>

namespace belfry::cli {
namespace {

struct CronAsk {
  CronQuestion question;
  bool batch = false;
};

void add_dialect(Command& command, CronQuestion& question) {
  const auto keep = [&question](const std::vector<std::string>& values) {
    question.dialect =
        values.back() == "quartz" ? core::Dialect::kQuartz : core::Dialect::kStandard;
    return std::string();
  };
  command.option("--dialect", keep, "standard (default) or quartz")
      .one_of({"standard", "quartz"})
      .type("DIALECT");
}

void add_question(Command& command, CronQuestion& question) {
  command.option("--tz", question.timezone, "time zone, an IANA name (default: UTC)")
      .type("ZONE")
      .proposes(Proposal::kZone);
  command.option("--from", question.from, "RFC 3339 instant to start from (default: now)")
      .type("INSTANT");
  command.option("-n,--count", question.count, "how many fires, up to 100000 (default: 5)")
      .range(1, 100'000);
  add_dialect(command, question);
  command.option("--key", question.key, "what fixes the values of H: tenant/job_name").type("KEY");
}

Answer<int> next(const CronAsk& ask, const Session& session) {
  if (ask.batch) {
    next_batch(session.in(), session.out(), ask.question.dialect);
    return int{kOk};
  }
  if (!ask.question.expression.empty()) return cron_next(ask.question, session);
  return fail(Problem(Problem::Kind::kInvalid, "`belfry cron next` needs an EXPRESSION", "",
                      "write it in quotes, or give --batch"));
}

void add_next(const Program& program, Command& cron) {
  const auto ask = std::make_shared<CronAsk>();
  Command& command = program.verb(cron, "next", "the next fires, one RFC 3339 instant per line",
                                  [ask](Session& session) { return next(*ask, session); });
  command.option("expression", ask->question.expression, "the cron expression, quoted");
  command.flag("--batch", ask->batch, "answer lines EXPR<TAB>ZONE<TAB>START read from stdin");
  add_question(command, ask->question);
  command.examples({"belfry cron next '0 9 * * MON-FRI' --tz Europe/Berlin",
                    "belfry cron next 'H H(0-5) * * *' --key acme/backup -n 3"});
}

void add_explain(const Program& program, Command& cron) {
  const auto ask = std::make_shared<CronAsk>();
  Command& command = program.verb(
      cron, "explain", "an expression in words, its next fires, what to watch for",
      [ask](Session& session) -> Answer<int> { return cron_explain(ask->question, session); });
  command.option("expression", ask->question.expression, "the cron expression, quoted").required();
  add_question(command, ask->question);
  command.examples({"belfry cron explain '30 2 * * *' --tz America/New_York"});
}

void add_resolve(const Program& program, Command& cron) {
  const auto ask = std::make_shared<CronAsk>();
  Command& command =
      program.verb(cron, "resolve", "expressions with every H written out",
                   [ask](Session& session) -> Answer<int> {
                     resolve_batch(session.in(), session.out(), ask->question.dialect);
                     return int{kOk};
                   });
  command.flag("--batch", ask->batch, "answer lines EXPR<TAB>KEY read from stdin").required();
  add_dialect(command, ask->question);
  command.examples({"printf 'H H * * *\\tacme/backup\\n' | belfry cron resolve --batch"});
}

}  // namespace

void add_cron_verbs(const Program& program) {
  Command& cron = program.noun("cron", "questions about cron expressions; needs no server");
  add_next(program, cron);
  add_explain(program, cron);
  add_resolve(program, cron);
  cron.examples({"belfry cron next '0 9 * * MON-FRI' --tz Europe/Berlin",
                 "belfry cron explain '30 2 * * *' --tz America/New_York"});
}

}  // namespace belfry::cli
