// Nothing but the headers that are compiled once (Targets.cmake).
