// What fibers_web.cpp calls and only a page's module has.
addToLibrary({
  // On each call the stack is looked at (STACK_OVERFLOW_CHECK), between limits that only JavaScript can set.
  limit_stack: (top, bottom) => ___set_stack_limits(top, bottom),
  // Emscripten looks for each function that is called. Binaryen then puts Asyncify's own in the places of these four, and
  // nobody calls them.
  start_unwind: () => {},
  stop_unwind: () => {},
  start_rewind: () => {},
  stop_rewind: () => {},
});
