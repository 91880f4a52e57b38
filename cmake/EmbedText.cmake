# stridescope_embed_text(TARGET NAMESPACE FUNCTION files...): compiles the files' texts into TARGET behind
#   std::string_view FUNCTION(std::string_view fileName);   // empty for a name that is not there
# in namespace stridescope::NAMESPACE. Rebuilt when a file changes.
# stridescope_embed_folder(TARGET NAMESPACE FUNCTION FOLDER files...): the same, with names that begin within FOLDER, and
#   std::vector<std::string_view> FUNCTION();   // those names
set(STRIDESCOPE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(stridescope_embed_text target namespace function)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  string(REPLACE ";" "|" joined "${ARGN}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DNAMESPACE=${namespace} "-DFILES=${joined}"
            -P ${STRIDESCOPE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${STRIDESCOPE_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

function(stridescope_embed_folder target namespace function folder)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  string(REPLACE ";" "|" joined "${ARGN}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DNAMESPACE=${namespace} "-DFILES=${joined}"
            -DFOLDER=${folder} -P ${STRIDESCOPE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${STRIDESCOPE_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED OUTPUT)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(text "#include <string_view>\n\nnamespace stridescope::${NAMESPACE} {\nstd::string_view ${FUNCTION}(std::string_view name);\nstd::string_view ${FUNCTION}(std::string_view name) {\n")
  foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    if(DEFINED FOLDER)
      file(RELATIVE_PATH name ${FOLDER} ${file})
      string(APPEND names "\"${name}\", ")
    endif()
    file(READ ${file} content)
    string(APPEND text "  if (name == \"${name}\") return R\"~embed~(${content})~embed~\";\n")
  endforeach()
  string(APPEND text "  return {};\n}\n")
  if(DEFINED FOLDER)
    string(PREPEND text "#include <vector>\n")
    string(APPEND text "std::vector<std::string_view> ${FUNCTION}();\nstd::vector<std::string_view> ${FUNCTION}() { return {${names}}; }\n")
  endif()
  string(APPEND text "}  // namespace stridescope::${NAMESPACE}\n")
  file(WRITE ${OUTPUT} "${text}")
endif()
