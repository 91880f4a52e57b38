// Emscripten's switch between fibers (its library_async.js) in fewer steps: a block makes some thousand. Emscripten calls each
// export through a function that notes by name where a stack begins. Here a stack begins in one of two places, and the exports
// are called as they are: where the page's question came in, and in a fiber (dynCall_vi).
addToLibrary({
  $Fibers__deps: ['$Asyncify', 'emscripten_stack_set_limits'],
  $Fibers__postset: `
    const instrumentExports = Asyncify.instrumentWasmExports;
    Asyncify.instrumentWasmExports = exports => {
      Fibers.exports = exports;
      return instrumentExports(exports);
    };`,
  $Fibers: {
    exports: null,
    nextFiber: 0,
    isSwitching: false, // trampoline() runs
    isOfQuestion: false, // what it runs is no fiber, but goes on with the question
    question: '', // the export that the question came to

    // Emscripten calls it when all functions that were left first have returned.
    trampoline() {
      if (Fibers.isSwitching || Fibers.nextFiber === 0) return;
      const { emscripten_stack_set_limits, __set_stack_limits, _emscripten_stack_restore, asyncify_start_rewind, asyncify_stop_unwind,
        dynCall_vi, [Fibers.question]: goOnWithQuestion } = Fibers.exports;
      Fibers.isSwitching = true;
      do {
        const fiber = Fibers.nextFiber;
        Fibers.nextFiber = 0;
        const base = {{{ makeGetValue('fiber', C_STRUCTS.emscripten_fiber_s.stack_base, '*') }}};
        const limit = {{{ makeGetValue('fiber', C_STRUCTS.emscripten_fiber_s.stack_limit, '*') }}};
        emscripten_stack_set_limits(base, limit);
        __set_stack_limits(base, limit);
        _emscripten_stack_restore({{{ makeGetValue('fiber', C_STRUCTS.emscripten_fiber_s.stack_ptr, '*') }}});
        const entry = {{{ makeGetValue('fiber', C_STRUCTS.emscripten_fiber_s.entry, '*') }}};
        const data = fiber + {{{ C_STRUCTS.emscripten_fiber_s.asyncify_data }}};
        if (entry !== 0) {
          {{{ makeSetValue('fiber', C_STRUCTS.emscripten_fiber_s.entry, 0, '*') }}};
          Fibers.isOfQuestion = false;
          dynCall_vi(entry, {{{ makeGetValue('fiber', C_STRUCTS.emscripten_fiber_s.user_data, '*') }}});
        } else {
          Fibers.isOfQuestion = {{{ makeGetValue('data', C_STRUCTS.asyncify_data_s.rewind_id, 'i32') }}} === 1;
          Asyncify.state = Asyncify.State.Rewinding;
          asyncify_start_rewind(data);
          if (Fibers.isOfQuestion) goOnWithQuestion();
          else dynCall_vi();
        }
        if (Asyncify.state === Asyncify.State.Unwinding) {
          Asyncify.state = Asyncify.State.Normal;
          asyncify_stop_unwind();
        }
      } while (Fibers.nextFiber !== 0);
      Fibers.isSwitching = false;
    },
  },

  emscripten_fiber_swap__deps: ['$Asyncify', '$Fibers'],
  emscripten_fiber_swap__async: true,
  emscripten_fiber_swap: (from, to) => {
    if (Asyncify.state !== Asyncify.State.Normal) { // somebody has come back
      Asyncify.state = Asyncify.State.Normal;
      Asyncify.currData = null;
      Fibers.exports.asyncify_stop_rewind();
      return;
    }
    const data = from + {{{ C_STRUCTS.emscripten_fiber_s.asyncify_data }}};
    if (!Fibers.isSwitching) {
      Fibers.question = Asyncify.exportCallStack[0];
      Fibers.isOfQuestion = true;
    }
    {{{ makeSetValue('data', C_STRUCTS.asyncify_data_s.rewind_id, 'Fibers.isOfQuestion ? 1 : 0', 'i32') }}};
    Asyncify.state = Asyncify.State.Unwinding;
    Asyncify.currData = data;
    Fibers.exports.asyncify_start_unwind(data);
    {{{ makeSetValue('from', C_STRUCTS.emscripten_fiber_s.stack_ptr, 'Fibers.exports.emscripten_stack_get_current()', '*') }}};
    Fibers.nextFiber = to;
  },
});
