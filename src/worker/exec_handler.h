#pragma once

#include "base/time.h"
#include "worker/command.h"
#include "worker/worker.h"

#include <chrono>
#include <string>
#include <vector>

namespace belfry::worker {

struct ExecOptions {
  std::vector<std::string> environment;       // what commands get: see fresh_environment()
  Duration grace = std::chrono::seconds(10);  // between TERM and KILL
  Confinement confinement;
};

// Runs the command of a job whose target is EXEC.
//
// It gets the environment of the options without its BELFRY_*, the facts of the run as such, and
// the payload, as JSON, on its standard input. Exit code 0 is success; 75 (EX_TEMPFAIL) and every
// other code is a failure that is tried again, except 65 (EX_DATAERR) and 78 (EX_CONFIG): the same
// again would fail again. A program that is not there is tried again too: others may have it.
Handler exec_handler(ExecOptions options);

// Always this command, whatever the job says: the worker decides what runs, not the job's owner.
Handler exec_handler(ExecOptions options, std::vector<std::string> command);

}  // namespace belfry::worker
