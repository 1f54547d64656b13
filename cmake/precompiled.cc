// The unit that the precompiled headers are made with (cmake/precompiled.cmake). Empty on purpose.
