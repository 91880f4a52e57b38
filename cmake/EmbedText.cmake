# stridescope_embed_text(TARGET NAMESPACE FUNCTION files...): compiles the files' texts into TARGET behind
#   std::string_view FUNCTION(std::string_view fileName);   // empty for a name that is not there
# in namespace stridescope::NAMESPACE. Rebuilt when a file changes.
# stridescope_embed_folder(TARGET NAMESPACE FUNCTION FOLDERS files...): the same, with names that begin within the one of
# FOLDERS that has the file, and
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

function(stridescope_embed_folder target namespace function folders)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  string(REPLACE ";" "|" joined "${ARGN}")
  string(REPLACE ";" "|" joined_folders "${folders}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DNAMESPACE=${namespace} "-DFILES=${joined}"
            "-DFOLDERS=${joined_folders}" -P ${STRIDESCOPE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${STRIDESCOPE_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED OUTPUT)
  string(REPLACE "|" ";" FILES "${FILES}")
  if(DEFINED FOLDERS)
    string(REPLACE "|" ";" FOLDERS "${FOLDERS}")
  endif()
  set(text "#include <string_view>\n\nnamespace stridescope::${NAMESPACE} {\nstd::string_view ${FUNCTION}(std::string_view name);\nstd::string_view ${FUNCTION}(std::string_view name) {\n")
  foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    if(DEFINED FOLDERS)
      foreach(folder IN LISTS FOLDERS)
        file(RELATIVE_PATH name ${folder} ${file})
        if(NOT name MATCHES "^[.][.]/")
          break()
        endif()
      endforeach()
      string(APPEND names "\"${name}\", ")
    endif()
    file(READ ${file} content)
    string(APPEND text "  if (name == \"${name}\") return R\"~embed~(${content})~embed~\";\n")
  endforeach()
  string(APPEND text "  return {};\n}\n")
  if(DEFINED FOLDERS)
    string(PREPEND text "#include <vector>\n")
    string(APPEND text "std::vector<std::string_view> ${FUNCTION}();\nstd::vector<std::string_view> ${FUNCTION}() { return {${names}}; }\n")
  endif()
  string(APPEND text "}  // namespace stridescope::${NAMESPACE}\n")
  file(WRITE ${OUTPUT} "${text}")
endif()
