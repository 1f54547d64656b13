#!/usr/bin/env python3
"""Proves that each rule of the checkers fires on a bad file and stays quiet on a good one."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_layers
import check_migrations
import check_stores
import check_style
import embed_sql

# In a git hook these name the real repository; the trees made here are different ones.
for variable in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[variable]


class TreeTest(unittest.TestCase):
    """Runs a checker on a small tree made for one question."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "-q", folder.name], check=True)
        (self.root / "src").mkdir()

    def write(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def problems(self, file: str, text: str) -> list[str]:
        """The checker's output when the tree also holds this file."""
        self.write(file, text)
        found = self.check(self.root)
        (self.root / file).unlink()
        return found

    def check(self, root: Path) -> list[str]:
        raise NotImplementedError

    def assert_bad(self, file: str, text: str, *words: str, line: int = 1) -> None:
        with self.subTest(file=file, text=text):
            found = self.problems(file, text)
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].startswith(f"{file}:{line}: "), found[0])
            for word in words:
                self.assertIn(word, found[0])

    def assert_good(self, file: str, text: str) -> None:
        with self.subTest(file=file, text=text):
            self.assertEqual(self.problems(file, text), [])


class LayersTest(TreeTest):
    def check(self, root: Path) -> list[str]:
        return check_layers.check(root)

    def test_the_table_names_only_modules_above(self) -> None:
        above: list[str] = []
        for module, may_use in check_layers.MODULES.items():
            self.assertLessEqual(set(may_use), set(above), module)
            above.append(module)

    def test_a_module_includes_only_what_the_table_says(self) -> None:
        self.assert_bad(
            "src/core/cron.cc",
            '#include "core/cron.h"\n#include "engine/ticks/ticker.h"\n',
            "core may not include engine (core may use: base)",
            line=2,
        )
        self.assert_bad("src/api/jobs/calls.cc", '#include "client/rest.h"\n', "api may not include")
        self.assert_bad("src/deliver/webhook.cc", '#include "store/store.h"\n', "may not include")
        self.assert_bad("src/base/log/log.h", '#  include "core/schedule/zone.h"\n', "may use: nothing")
        self.assert_bad("src/cli/main.cc", '#include "server/config.h"\n', "may not include server")
        self.assert_good("src/core/cron.cc", '#include "core/cron.h"\n#include "base/time.h"\n')
        self.assert_good("src/server/main.cc", '#include "engine/node.h"\n#include "cli/main.h"\n')
        self.assert_good("src/core/cron.cc", '// #include "engine/ticks/ticker.h"\n')

    def test_the_form_of_an_include_is_no_way_around(self) -> None:
        self.assert_bad("src/core/cron.cc", '#include "../engine/ticker.h"\n', "path from src/")
        self.assert_bad("src/core/cron.cc", '#include "cron.h"\n', "path from src/")
        self.write("src/engine/ticks/ticker.h", "")
        self.assert_bad("src/core/cron.cc", "#include <engine/ticks/ticker.h>\n", "not include engine")
        self.assert_good("src/base/log/log.cc", "#include <net/if.h>\n")  # the system's

    def test_tests_may_use_the_test_folder_and_sources_may_not(self) -> None:
        self.assert_good("src/core/cron_test.cc", '#include "tests/support/rows.h"\n')
        self.assert_bad("src/core/cron.cc", '#include "tests/support/rows.h"\n', "names no module")

    def test_rooms_keep_their_order(self) -> None:
        for file, header in [
            ("api/frame/call.cc", "api/jobs/job_codec.h"),
            ("net/server/server.cc", "net/client/client.h"),
            ("net/client/client.cc", "net/server/server.h"),
            ("net/transport.h", "net/server/server.h"),
            ("store/common/outbox.cc", "store/postgres/wire/reply.h"),
            ("store/postgres/wire/reply.cc", "store/sqlite/wire/db.h"),
            ("store/sqlite/jobs/a.cc", "store/postgres/postgres_store.h"),
            ("store/wrappers/a.cc", "store/common/outbox.h"),
            ("cli/text/table.cc", "cli/verbs/job_flags.h"),
            ("cli/frame/session.cc", "cli/verbs/job_flags.h"),
            ("service/access/admission.cc", "service/jobs/forecaster.h"),
            ("service/access/admission.cc", "service/services.h"),
            ("import/crontab/a.cc", "import/systemd/b.h"),
            ("import/systemd/a.cc", "import/k8s/b.h"),
        ]:
            room = file.rsplit("/", 1)[0]
            self.assert_bad(f"src/{file}", f'#include "{header}"\n', f"not include {header} (of ")
            self.assert_good(f"src/{room}/a_test.cc", f'#include "{header}"\n')
            self.assert_good(f"src/{file}", f'#include "{room}/other.h"\n')
        self.assert_good("src/api/api_server.cc", '#include "api/jobs/job_codec.h"\n')
        self.assert_good("src/store/postgres/wire/a.cc", '#include "store/common/outbox.h"\n')
        self.assert_good("src/service/access/admission.h", '#include "service/refusal.h"\n')

    def test_the_rooms_of_the_table_are_there(self) -> None:
        src = Path(check_layers.__file__).parent.parent / "src"
        for module, rooms in check_layers.ROOMS.items():
            for room, others in rooms.items():
                for one in [room, *others]:
                    if not one.endswith(".h"):
                        self.assertTrue((src / module / one).is_dir(), f"{module}/{one}")

    def test_a_folder_holds_so_many_units(self) -> None:
        for number in range(check_layers.MOST_UNITS):
            for ending in [".h", ".cc", "_test.cc"]:
                self.write(f"src/core/unit{number}{ending}", "")
        self.assertEqual(self.check(self.root), [])
        self.write("src/core/room/one_more.h", "")
        self.assertEqual(self.check(self.root), [])
        self.write("src/core/one_more.h", "")
        found = self.check(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertIn("src/core:1: 23 units; use folders of at most 22", found[0])

    def test_libraries_stay_behind_their_door(self) -> None:
        doors = [
            ("tl/expected.hpp", "src/base/result.h", "src/base/error.h"),
            ("absl/time/time.h", "src/core/schedule/zone_catalog.cc", "src/core/schedule/zone.cc"),
            ("absl/time/time.h", "src/core/schedule/zone_test.cc", "src/core/schedule/zone.h"),
            ("libpq-fe.h", "src/store/postgres/conn.cc", "src/store/store.h"),
            ("sqlite3.h", "src/store/sqlite/wire/db.cc", "src/store/postgres/conn.cc"),
            ("boost/asio.hpp", "src/net/loop.cc", "src/engine/runner.cc"),
            ("boost/beast/http.hpp", "src/net/http_server.cc", "src/api/http/router.cc"),
            ("openssl/ssl.h", "src/net/tls.cc", "src/deliver/webhook/signature.cc"),
            ("grpcpp/server.h", "src/rpc/rpc_server.cc", "src/engine/node.cc"),
            ("google/protobuf/message.h", "src/rpc/codec.cc", "src/cli/jobs.cc"),
            ("belfry/v1/worker.pb.h", "src/rpc/dispatcher_service.cc", "src/core/job.h"),
        ]
        for header, inside, outside in doors:
            self.assert_good(inside, f"#include <{header}>\n")
            self.assert_bad(outside, f"#include <{header}>\n", f"may not include {header} (only ")

    def test_unknown_folders_are_refused(self) -> None:
        self.write("src/utils/strings.h", "")
        found = self.check(self.root)
        self.assertEqual(len(found), 1)
        self.assertIn("src/utils:1: utils is not a module (modules: base, core, ", found[0])

    def test_cmake_agrees_with_the_table(self) -> None:
        file = "src/core/CMakeLists.txt"
        self.assert_good(file, "belfry_module(NAME core\n  SOURCES a.cc\n  DEPENDS base)\n")
        self.assert_bad(
            file,
            "# net is fine here\nbelfry_module(NAME core SOURCES a.cc\n  DEPENDS base net)\n",
            "core may not depend on net (core may use: base)",
            line=2,
        )
        self.assert_bad(file, "belfry_module(NAME core PRIVATE_LIBS fmt::fmt store)\n", "on store")
        self.write("src/store/sqlite/CMakeLists.txt", "belfry_module(NAME store_sqlite)\n")
        self.assert_bad(file, "belfry_module(NAME core DEPENDS store_sqlite)\n", "on store")
        self.assert_good(
            "src/store/CMakeLists.txt", "belfry_module(NAME store DEPENDS core store_sqlite)\n"
        )


class StoresTest(TreeTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("src/store/postgres/runs/claim.cc", "Status PostgresStore::claim() {\n")
        self.write("src/store/sqlite/runs/claim.cc", "Status SqliteStore::claim() {\n")
        self.write("sql/postgres/queries/claim.sql", "-- name: next_due\nselect 1\n")
        self.write("sql/sqlite/queries/claim.sql", "-- name: next_due\nselect 1\n")

    def check(self, root: Path) -> list[str]:
        return check_stores.check(root)

    def test_both_have_the_same_rooms(self) -> None:
        self.assert_good("src/store/sqlite/runs/archive.cc", "Status archive();\n")
        self.write("src/store/sqlite/attic/old.cc", "")
        self.assertEqual(len(self.check(self.root)), 1, self.check(self.root))
        self.assertIn("src/store/sqlite/attic:1: store/postgres has no room", self.check(self.root)[0])

    def test_a_method_is_in_the_same_file_of_both(self) -> None:
        self.write("src/store/sqlite/runs/attempts.cc", "\nStatus SqliteStore::end_attempts(int a) {\n")
        self.assert_good("src/store/postgres/runs/attempts.cc", "Status PostgresStore::end_attempts() {\n")
        self.assert_bad(
            "src/store/postgres/runs/ends.cc",
            "\nStatus PostgresStore::end_attempts() {\n",
            "end_attempts is in runs/attempts.cc of store/sqlite",
            line=2,
        )

    def test_helpers_may_differ(self) -> None:
        self.assert_good("src/store/postgres/runs/horizon.cc", "void PostgresStore::look_back() {\n")

    def test_a_query_is_in_the_same_file_of_both(self) -> None:
        self.write("sql/sqlite/queries/ledger.sql", "-- name: runs_of\nselect 1\n")
        self.assert_good("sql/postgres/queries/ledger.sql", "-- name: runs_of\nselect 1\n")
        self.write("sql/postgres/queries/ledger.sql", "-- name: skips_of\nselect 1\n")
        self.write("sql/sqlite/queries/claim.sql", "-- name: skips_of\nselect 1\n")
        found = self.check(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertIn("sql/postgres/queries/ledger.sql:1: skips_of is in claim.sql", found[0])

    def test_a_file_of_queries_has_its_twin(self) -> None:
        self.assert_bad("sql/sqlite/queries/once.sql", "select 1\n", "no such file for postgres")
        self.assert_good("sql/sqlite/queries/blocked.sql", "-- name: block\nselect 1\n")


class EmbedTest(unittest.TestCase):
    """The names that statements have for numbers."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "ours/queries").mkdir(parents=True)
        self.names("core/run.h core::RunState::kRunning 1 running\n")

    def names(self, text: str) -> None:
        (self.root / "names.txt").write_text(text, encoding="utf-8")

    def header(self, text: str) -> str:
        (self.root / "ours/queries/a.sql").write_text("-- name: a_b\n" + text, encoding="utf-8")
        return embed_sql.header_of(self.root / "ours", "ours")

    def test_names_become_numbers_that_the_compiler_checks(self) -> None:
        made = self.header("select :running::smallint where state <> :running;\n")
        self.assertIn('kAB = R"sql(select 1::smallint where state <> 1;\n)sql"', made)
        self.assertIn("static_assert(static_cast<int>(core::RunState::kRunning) == 1,", made)
        self.assertIn('#include "core/run.h"\n', made)
        self.assertNotIn("static_assert", self.header("select 1;\n"))

    def test_casts_slices_texts_and_comments_are_no_names(self) -> None:
        for text in [
            "select $1::bigint, a[1:20]",
            "select ':running', 'it''s :x' || ':' || b",
            'select ":odd"',
            "select 1 -- as :nobody says\nfrom a",
            "select time '10:30:00'",
        ]:
            self.assertIn(f'R"sql({text}\n)sql"', self.header(text + "\n"))

    def test_an_unknown_name_is_refused_with_its_place(self) -> None:
        with self.assertRaisesRegex(embed_sql.Mistake, r"a\.sql:3: there is no number named sleeping"):
            self.header("select 1\nwhere state = :sleeping\n")
        (self.root / "ours/queries/a.sql").write_text("-- name: a\nselect :x\n", encoding="utf-8")
        command = ["python3", embed_sql.__file__, self.root / "ours", "ours", self.root / "out.h"]
        ended = subprocess.run(command, capture_output=True, check=False, text=True)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("a.sql:2:", ended.stderr)

    def test_snippets_are_put_where_a_line_asks_for_them(self) -> None:
        (self.root / "ours/snippets").mkdir()
        snippet = self.root / "ours/snippets/tell.sql"
        snippet.write_text("-- Wants `clock`.\ninsert into a\nselect {kind}, :running\n", encoding="utf-8")
        made = self.header("with b as (\n  -- include: tell, kind = :running\n)\nselect 1\n")
        self.assertIn("with b as (\n  insert into a\n  select 1, 1\n)\nselect 1\n", made)
        for line, trouble in [
            ("-- include: tell", r"a\.sql:2: tell\.sql wants \['kind'\] and is given \[\]"),
            ("-- include: tell, sort = 2", r"wants \['kind'\] and is given \['sort'\]"),
            ("-- include: tell, kind = :odd", r"a\.sql:2: there is no number named odd"),
            ("-- include: shout", r"a\.sql:2: there is no snippet shout"),
            ("-- include: tell kind", r"a\.sql: `-- include: tell kind` is not"),
        ]:
            with self.subTest(line), self.assertRaisesRegex(embed_sql.Mistake, trouble):
                self.header(line + "\n")
        snippet.write_text("select\n:odd\n", encoding="utf-8")
        with self.assertRaisesRegex(embed_sql.Mistake, r"tell\.sql:2: there is no number named odd"):
            self.header("-- include: tell\n")

    def test_a_name_exists_once_and_has_a_number(self) -> None:
        self.names("h.h A::kB 1 b\nh.h A::kC 2 b\n")
        with self.assertRaisesRegex(embed_sql.Mistake, r"names\.txt:2: the name b exists twice"):
            self.header("select 1\n")
        self.names("h.h A::kB one b\n")
        with self.assertRaisesRegex(embed_sql.Mistake, r"names\.txt:1: not"):
            self.header("select 1\n")


class StyleTest(TreeTest):
    def check(self, root: Path) -> list[str]:
        return check_style.check(root)

    def test_real_clocks(self) -> None:
        for call in [
            "std::chrono::system_clock::now()",
            "std::chrono::steady_clock::now()",
            "clock_gettime(CLOCK_REALTIME, &t)",
            "gettimeofday(&t, nullptr)",
            "time(nullptr)",
            "std::time( NULL )",
        ]:
            code = f"auto t = {call};\n"
            self.assert_bad("src/core/a.cc", code, "real clock", "base/clock.h instead (")
            self.assert_bad("src/core/a_test.cc", code, "real clock")
            self.assert_good("src/base/real_clock.cc", code)
        self.assert_good("bench/a.cc", "auto t = std::chrono::steady_clock::now();\n")
        self.assert_bad("bench/a.cc", "auto t = std::chrono::system_clock::now();\n", "real clock")
        self.assert_good("src/core/a.cc", "auto t = clock.now(); auto u = run_time(0);\n")

    def test_sleeps(self) -> None:
        for call in [
            "std::this_thread::sleep_for(1s)",
            "std::this_thread::sleep_until(t)",
            "sleep_for(1s)",
            "sleep(1)",
            "::sleep(1)",
            "usleep(10)",
            "nanosleep(&t, nullptr)",
        ]:
            self.assert_bad("src/engine/a.cc", f"{call};\n", "sleep")
            self.assert_bad("tests/sim/a_test.cc", f"{call};\n", "simulated clock instead (")
        self.assert_good("src/engine/a.cc", "clock.sleep_until(t); bool asleep(int);\n")
        self.assert_good("src/engine/a.cc", "void SimClock::sleep_until(Instant) {}\n")

    def test_randomness(self) -> None:
        for call in ["rand()", "std::srand(1)", "std::random_device device", "getrandom(b, 8, 0)"]:
            self.assert_bad("src/core/a.cc", f"{call};\n", "use base/rng.h")
            self.assert_bad("tests/sim/a.cc", f"{call};\n", "use base/rng.h")
            self.assert_good("src/base/rng.cc", f"{call};\n")
        self.assert_bad("src/core/a.cc", "std::mt19937_64 engine(1);\n", "use base/rng.h")
        self.assert_good("tests/cron/a.cc", "std::mt19937 engine(1);\n")
        self.assert_good("src/core/a_test.cc", "std::mt19937 engine(1);\n")
        self.assert_good("src/core/a.cc", "rng.rand(); int operand(int);\n")

    def test_locks(self) -> None:
        for name in ["mutex m", "shared_mutex m", "lock_guard l(m)", "condition_variable c"]:
            self.assert_bad("src/engine/a.h", f"#pragma once\nstd::{name};\n", "mutex.h", line=2)
        self.assert_good("src/base/mutex.h", "#pragma once\nstd::mutex m;\n")
        self.assert_good("src/engine/a.cc", "belfry::Mutex mutex; const MutexLock lock(mutex);\n")

    def test_threads(self) -> None:
        for name in ["thread t(f)", "jthread t(f)", "async(f)"]:
            code = f"std::{name};\n"
            self.assert_bad("src/engine/ticks/ticker.cc", code, "use a duty of engine/runner.h")
            for free in ["src/engine/runner.cc", "src/net/loop.cc", "src/server/main.cc"]:
                self.assert_good(free, code)
            self.assert_good("src/base/mutex_test.cc", code)
            self.assert_good("tests/e2e/a.cc", code)
        self.assert_good("src/engine/a.cc", "std::this_thread::yield();\n")
        self.assert_good("src/cli/a.cc", "auto n = std::thread::hardware_concurrency();\n")

    def test_the_c_calendar(self) -> None:
        for name in ["localtime", "localtime_r", "gmtime_r", "mktime", "std::strftime", "timegm"]:
            self.assert_bad("src/cli/a.cc", f"{name}(&t);\n", "core/schedule/civil.h")
        self.assert_good("src/core/a.cc", 'bool b = name != "localtime";\n')

    def test_printing(self) -> None:
        for call in ["std::cout << 1", 'printf("a")', 'std::fprintf(stderr, "a")', 'puts("a")']:
            self.assert_bad("src/core/a.cc", f"{call};\n", "use base/log/log.h")
            for free in ["src/cli/a.cc", "src/server/a.cc", "bench/a.cc"]:
                self.assert_good(free, f"{call};\n")
        self.assert_good("src/core/a.cc", 'snprintf(b, 9, "a");\n')

    def test_sql(self) -> None:
        for text in [
            '"SELECT id FROM jobs"',
            '"select * from jobs"',
            '"INSERT INTO jobs VALUES (1)"',
            '"UPDATE jobs "\n    "SET name = $1"',
            'R"sql(\n  DELETE FROM jobs)sql"',
            '"create table jobs (id int)"',
            '"WITH ok AS (SELECT 1) SELECT 2"',
        ]:
            self.assert_bad("src/store/postgres/a.cc", f"f({text});\n", "query in sql/ instead (")
        for text in [
            '"select a job from the list"',
            '"Update the job and set it free"',
            '"SELECTED FOR RETRY"',
            '"BEGIN IMMEDIATE"',
            '"SELECT", g(\'"\'), " id FROM jobs"',
        ]:
            self.assert_good("src/store/a.cc", f"f({text});\n")
        self.assert_good("src/store/a.cc", '// "SELECT id FROM jobs"\n')
        self.assert_good("tests/store/a.cc", 'f("SELECT id FROM jobs");\n')

    def test_comments_strings_and_digits_are_no_code(self) -> None:
        self.assert_good("src/core/a.cc", "// never call rand() or sleep(1)\n")
        self.assert_good("src/core/a.cc", "/* std::mutex\n std::cout */ int a;\n")
        self.assert_good("src/core/a.cc", 'auto s = "std::mutex // rand()"; auto c = \'"\';\n')
        self.assert_good("src/core/a.cc", 'auto s = R"x(rand() " )" std::mutex)x";\n')
        # A quote between digits does not open a literal, so what follows is still seen, on its own line.
        self.assert_bad("src/core/a.cc", "int a = 86'400;\nint b = rand(); // '\n", "rng", line=2)
        self.assert_bad("src/core/a.cc", 'auto s = R"(\n\n)"; auto m = rand();\n', "rng", line=3)
        self.assert_bad("src/core/a.cc", 'auto s = "//"; auto m = rand();\n', "rng")

    def test_headers(self) -> None:
        self.assert_bad("src/core/a.h", "int f();\n", "#pragma once")
        self.assert_bad("src/core/a.h", "// #pragma once\n", "#pragma once")
        using = "using namespace std;\n"
        self.assert_bad("src/core/a.h", "#pragma once\n" + using, "qualified names", line=2)
        self.assert_good("src/core/a.h", "// What it is for.\n#pragma once\nusing std::min;\n")
        self.assert_good("src/core/a.cc", using)

    def test_file_length(self) -> None:
        file = "src/core/a.cc"
        self.assert_good(file, "\n" * 400)
        self.assert_bad(file, "\n" * 401, "warning: 401 lines")
        self.assert_bad(file, "\n" * 801, "801 lines; use several files instead")
        self.assertNotIn("warning", self.problems(file, "\n" * 801)[0])
        self.assert_good(file, "// @generated by a script\n" + "\n" * 900)
        self.assert_good("tests/cron/data/rows.py", "\n" * 900)
        self.assert_good("docs/long.md", "\n" * 900)

    def test_a_warning_alone_does_not_fail(self) -> None:
        command = ["python3", check_style.__file__, str(self.root)]
        self.write("src/core/a.cc", "\n" * 401)
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 0)
        self.write("src/core/a.cc", "\n" * 801)
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)

    def test_blanks(self) -> None:
        self.assert_bad("src/core/a.cc", "\tint a;\n", "tab; use blanks")
        self.assert_bad("tools/a.py", "a = 1 \n", "blank at the end")
        self.assert_good("tests/cron/rows.tsv", "a\tb\t\n")
        self.assert_good("docs/a.md", "a line break  \n")

    def test_wishes_have_an_issue(self) -> None:
        self.assert_bad("src/core/a.cc", "// TODO: more\n", "TODO(#123)")
        self.assert_bad("sql/a.sql", "-- FIXME(jan) more\n", "FIXME(#123)")
        self.assert_good("src/core/a.cc", "// TODO(#12): more\n")

    def test_paths_of_one_machine(self) -> None:
        for folder in ["home", "work", "root"]:  # in parts, or this line would itself be a violation
            path = f"/{folder}/x"
            self.assert_bad("docs/a.md", f"see {path}\n", "a machine's own path")
            self.assert_bad("Makefile", f"\nA={path}\n", "a machine's own path", line=2)
        self.assert_good("docs/a.md", "~/work/x $HOME/work/x https://x.org/home/ /workers/\n")

    def test_binary_and_ignored_files_are_left_alone(self) -> None:
        self.assert_good("docs/a.png", "\0/home/jan/\n")
        self.write(".gitignore", "/build/\n")
        self.assert_good("build/a.cc", "rand();\n")


class MigrationsTest(TreeTest):
    """Two migrations of PostgreSQL and one of SQLite have landed."""

    FIRST = "sql/postgres/migrations/0001_start.sql"
    SECOND = "sql/postgres/migrations/0002_views.sql"
    LIST = check_migrations.LIST

    def check(self, root: Path) -> list[str]:
        return check_migrations.check(root)

    def setUp(self) -> None:
        super().setUp()
        for file in [self.FIRST, self.SECOND, "sql/sqlite/migrations/0001_start.sql"]:
            self.write(file, f"-- {file}\n")
            self.write(check_migrations.upgrade_of(file.removeprefix("sql/")), "-- rows\n")
        self.assertEqual(check_migrations.land(self.root), [])
        self.assertEqual(self.check(self.root), [])

    def read(self, file: str) -> str:
        return (self.root / file).read_text("utf-8")

    def assert_found(self, start: str, *words: str) -> None:
        """Exactly one problem, found by the check as ./dev check calls it."""
        found = self.check(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(start), found[0])
        for word in words:
            self.assertIn(word, found[0])
        command = ["python3", check_migrations.__file__, str(self.root)]
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)

    def test_the_list_is_what_sha256sum_reads(self) -> None:
        command = ["sha256sum", "--strict", "--check", "landed.sha256"]
        done = subprocess.run(command, cwd=self.root / "sql", capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done)

    def test_one_byte_of_a_landed_migration(self) -> None:
        for file in [self.FIRST, self.SECOND]:
            text = self.read(file)
            for changed in [text + "\n", text.replace("-", "=", 1), ""]:
                self.write(file, changed)
                self.assert_found(f"{file}:1: has landed and was changed", "write a new migration instead")
            self.write(file, text)

    def test_a_landed_migration_stays(self) -> None:
        (self.root / self.SECOND).unlink()
        self.assert_found(f"{self.LIST}:2: ", "has landed and is gone", "write a new migration instead")

    def test_a_hash_that_is_taken_out_is_missed(self) -> None:
        first, second, sqlite = self.read(self.LIST).splitlines(keepends=True)
        self.write(self.LIST, second + sqlite)
        found = self.check(self.root)
        self.assertTrue(found[0].startswith(f"{self.FIRST}:1: is not in {self.LIST}"), found)
        self.assertIn("write a new migration instead, with a number above 2", found[0])
        # The newest could be a migration that has not landed, if there were no database of it.
        self.write(self.LIST, first + sqlite)
        [found] = check_migrations.failures(self.check(self.root))
        self.assertIn("tests/store/upgrades/postgres/0002.sql:1: its migration is not in", found)

    def test_a_new_one_comes_after_all_that_landed(self) -> None:
        new = "sql/postgres/migrations/0003_more.sql"
        self.assert_bad(new, "", "warning: ", "check_migrations.py --land adds it")
        self.assertEqual(check_migrations.failures(self.problems(new, "")), [])
        self.assert_bad("sql/sqlite/migrations/0002_a.sql", "", "warning: ")  # its own numbers
        for late in ["sql/postgres/migrations/0000_late.sql", "sql/sqlite/migrations/0000_a.sql"]:
            self.assert_bad(late, "", "write a new migration instead", "number above ")

    def test_numbers_are_unique(self) -> None:
        self.write("sql/sqlite/migrations/0002_a.sql", "")
        self.write("sql/sqlite/migrations/0002_b.sql", "")
        [found] = check_migrations.failures(self.check(self.root))
        self.assertIn("0002_b.sql:1: number 2 is 0002_a.sql, too; use another number", found)

    def test_names_begin_with_a_number(self) -> None:
        for name in ["3_a.sql", "0003-a.sql", "0003_A.sql", "0003_a.txt"]:
            self.assert_bad(f"sql/sqlite/migrations/{name}", "", "NNNN_what_it_is_about.sql")

    def test_each_has_a_database_to_upgrade_from(self) -> None:
        (self.root / "tests/store/upgrades/postgres/0001.sql").unlink()
        self.assert_found(f"{self.LIST}:1: ", "has no tests/store/upgrades/postgres/0001.sql")

    def test_the_list_is_kept_in_order(self) -> None:
        lines = self.read(self.LIST).splitlines(keepends=True)
        self.write(self.LIST, "".join(reversed(lines)))
        self.assert_found(f"{self.LIST}:1: not sorted")
        self.write(self.LIST, "".join(lines) + lines[0])
        self.assert_found(f"{self.LIST}:4: ", "listed twice")
        self.write(self.LIST, "".join(lines) + "what is this\n")
        self.assert_found(f"{self.LIST}:4: no line of sha256sum")

    def test_landing_adds_and_changes_nothing_else(self) -> None:
        before = self.read(self.LIST)
        self.write("sql/postgres/migrations/0003_more.sql", "-- more\n")
        refused = check_migrations.land(self.root)
        self.assertEqual(len(refused), 1, refused)
        self.assertIn("first write tests/store/upgrades/postgres/0003.sql", refused[0])
        self.write("tests/store/upgrades/postgres/0003.sql", "-- rows\n")
        self.write(self.FIRST, "-- changed\n")
        self.assertIn("was changed", check_migrations.land(self.root)[0])
        self.assertEqual(self.read(self.LIST), before)
        self.write(self.FIRST, f"-- {self.FIRST}\n")
        self.assertEqual(check_migrations.land(self.root), [])
        self.assertEqual(self.check(self.root), [])
        after = self.read(self.LIST).splitlines()
        self.assertEqual([line for line in after if "0003" not in line], before.splitlines())
        self.assertEqual(len(after), 4)


if __name__ == "__main__":
    unittest.main()
