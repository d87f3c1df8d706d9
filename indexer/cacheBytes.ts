// The size of LevelDB's cache, in a module that loads no LevelDB: the settings have it as a default.

/** Bytes of uncompressed blocks of the index that LevelDB caches in memory, where no setting replaces them. */
export const INDEX_CACHE_BYTES = 64 * 2 ** 20;
