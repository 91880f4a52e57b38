// Dear ImGui's test hooks, doing nothing. They are weak: a program that links the test engine gets the
// engine's.
#include "imgui_internal.h"

[[gnu::weak]] void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&,
                                               const ImGuiLastItemData*) {}
[[gnu::weak]] void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) {}
[[gnu::weak]] void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
[[gnu::weak]] const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
