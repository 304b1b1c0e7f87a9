// Holds the precompiled header of LibTorch that the rooms with torch share.
