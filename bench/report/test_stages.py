"""What stacks of perf and statements of PostgreSQL are taken for. Run by ./dev check."""

import unittest

import stages

KERNEL = ("tcp_sendmsg", "[kernel.kallsyms]")
LIBC = ("__send", "/usr/lib/libc.so.6")


class StageTest(unittest.TestCase):
    def test_the_kernel_works_for_its_caller(self) -> None:
        stack = [KERNEL, LIBC, ("pqsecure_write", "/usr/lib/libpq.so.5.15"), ("belfry::store::postgres::run()", "belfry")]
        self.assertEqual(stages.stage_of(stack), "libpq")

    def test_the_standard_library_works_for_its_caller(self) -> None:
        stack = [
            ("std::_Function_handler<void (), belfry::engine::Claims::f>::_M_invoke", "/b/belfry"),
            ("belfry::engine::Claims::run_once()", "/b/belfry"),
        ]
        self.assertEqual(stages.stage_of(stack), "own code: engine")

    def test_the_first_namespace_of_a_symbol_counts(self) -> None:
        stack = [("void boost::asio::detail::run<belfry::net::Server>(int)", "/b/belfry")]
        self.assertEqual(stages.stage_of(stack), "HTTP")

    def test_messages_are_grpc(self) -> None:
        self.assertEqual(stages.stage_of([("belfry::v1::Run::Clear()", "/b/belfry")]), "gRPC")

    def test_a_stack_of_strangers_says_so(self) -> None:
        self.assertEqual(stages.stage_of([KERNEL, LIBC]), "no caller found")


class SamplesTest(unittest.TestCase):
    def test_stacks_end_where_the_next_begins(self) -> None:
        text = [
            "belfry   12 ",
            "\t    7f12 __send (/usr/lib/libc.so.6)",
            "\t    5561 belfry::net::f(std::pair<int, int>) (/b/belfry)",
            "",
            "grpc thread   13 ",
            "\t    7f13 start (/usr/lib/libgrpc.so.29)",
        ]
        self.assertEqual(
            list(stages.samples(text)),
            [
                (12, [("__send", "/usr/lib/libc.so.6"), ("belfry::net::f(std::pair<int, int>)", "/b/belfry")]),
                (13, [("start", "/usr/lib/libgrpc.so.29")]),
            ],
        )

    def test_a_sample_without_a_stack_is_one_line(self) -> None:
        text = ["postgres  77  ffff9 _bt_compare (/usr/lib/postgresql/15/bin/postgres)"]
        [(process, stack)] = stages.samples(text)
        self.assertEqual((process, stages.database_stage(stack)), (77, "index"))


class NamesTest(unittest.TestCase):
    def test_a_statement_is_known_by_its_beginning(self) -> None:
        named = {"select a, b from runs where x = 1": "one", "select a, b from runs where y = 1": "two"}
        self.assertEqual(stages.name_of("select a, b from runs where y = $1", named), "two")

    def test_a_strange_statement_is_told_as_it_is(self) -> None:
        self.assertEqual(stages.name_of("vacuum", {"select a, b from runs where x = 1": "one"}), "vacuum")

    def test_the_queries_of_the_store_are_found(self) -> None:
        self.assertIn("grant_runs", stages.names(stages.QUERIES).values())


if __name__ == "__main__":
    unittest.main()
