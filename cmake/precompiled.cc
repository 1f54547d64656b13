// The unit that the precompiled headers are made with; there is nothing in it (cmake/precompiled.cmake).
