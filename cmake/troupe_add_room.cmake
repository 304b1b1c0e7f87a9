# troupe_add_library(NAME STATIC|SHARED [TORCH] SOURCES ... [LINK ...])
#   A library with the project's options. TORCH: links LibTorch and shares its precompiled header. No sources: an
#   interface library.
# troupe_add_room(ROLE [TORCH] [LINK ...])
#   The room actors/ROLE as two libraries: troupe_ROLE_logic (all but *_actor.cpp and *_desk.cpp, with the folders in the
#   room; knows no CAF) and troupe_ROLE (the actor's glue). TORCH and LINK go to the logic.

# Headers of LibTorch take most of a minute to parse: they are compiled once and shared by all that use them.
add_library(troupe_torch_pch OBJECT "${CMAKE_SOURCE_DIR}/cmake/torch_pch.cpp")
target_link_libraries(troupe_torch_pch PUBLIC troupe_options ${TORCH_LIBRARIES})
target_precompile_headers(troupe_torch_pch PRIVATE <torch/torch.h>)

function(troupe_add_library name kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "TORCH" "" "SOURCES;LINK")
  if(NOT arg_SOURCES)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE troupe_options ${arg_LINK})
    return()
  endif()
  add_library(${name} ${kind} ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC troupe_options ${arg_LINK})
  if(arg_TORCH)
    target_link_libraries(${name} PUBLIC ${TORCH_LIBRARIES})
    troupe_use_torch_pch(${name} ${arg_SOURCES})
  endif()
endfunction()

# troupe_use_torch_pch(TARGET SOURCES...): for the sources that include LibTorch; loading it costs the others seconds.
function(troupe_use_torch_pch target)
  target_precompile_headers(${target} REUSE_FROM troupe_torch_pch)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" torch_includes REGEX "#include <torch/")
    if(NOT torch_includes)
      set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

function(troupe_add_room role)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "LINK")
  file(GLOB logic CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/actors/${role}/*.cpp"
                                    "${CMAKE_SOURCE_DIR}/actors/${role}/*/*.cpp")
  file(GLOB glue CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/actors/${role}/*_actor.cpp"
                                   "${CMAKE_SOURCE_DIR}/actors/${role}/*_desk.cpp")
  if(glue)
    list(REMOVE_ITEM logic ${glue})
  endif()
  if(arg_TORCH)
    troupe_add_library(troupe_${role}_logic STATIC TORCH SOURCES ${logic} LINK troupe_core ${arg_LINK})
  else()
    troupe_add_library(troupe_${role}_logic STATIC SOURCES ${logic} LINK troupe_core ${arg_LINK})
  endif()
  troupe_add_library(troupe_${role} STATIC SOURCES ${glue} LINK troupe_${role}_logic troupe_core)
endfunction()
