// The parts of Asio and Beast that are not templates, compiled once for all of net.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
