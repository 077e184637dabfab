/** A file type with its extensions (the first one replaces unknown extensions). */
interface Kind {
  extensions: readonly [string, ...string[]]
  /** Displayed by browsers; everything else is served as an attachment. */
  inline?: true
  /** It has a width and a height. */
  picture?: true
}

/** Every accepted file type. Files of other types are rejected. */
export const kinds: Readonly<Record<string, Kind>> = {
  'image/png': { extensions: ['png'], inline: true, picture: true },
  'image/jpeg': { extensions: ['jpg', 'jpeg', 'jpe', 'jfif'], inline: true, picture: true },
  'image/gif': { extensions: ['gif'], inline: true, picture: true },
  'image/webp': { extensions: ['webp'], inline: true, picture: true },
  'image/avif': { extensions: ['avif'], inline: true, picture: true },
  // An SVG could act as a page when opened, so it is served as an attachment; `<img>` displays it nevertheless.
  'image/svg+xml': { extensions: ['svg'], picture: true },
  'video/mp4': { extensions: ['mp4', 'm4v'], inline: true },
  'audio/mp4': { extensions: ['m4a', 'mp4'], inline: true },
  'video/webm': { extensions: ['webm'], inline: true },
  'audio/mpeg': { extensions: ['mp3'], inline: true },
  'audio/ogg': { extensions: ['ogg', 'oga', 'opus'], inline: true },
  'application/pdf': { extensions: ['pdf'] },
  'application/zip': { extensions: ['zip', 'kmz', 'ods', 'odt', 'odp', 'pptx', 'gtfs'] },
  'application/gzip': { extensions: ['gz', 'tgz'] },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { extensions: ['xlsx'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { extensions: ['docx'] },
  'application/vnd.apache.parquet': { extensions: ['parquet', 'geoparquet', 'pq'] },
  'application/geopackage+sqlite3': { extensions: ['gpkg', 'sqlite', 'sqlite3', 'db'] },
  'application/flatgeobuf': { extensions: ['fgb'] },
  'application/json': { extensions: ['json', 'geojson', 'topojson', 'ndjson', 'jsonl'] },
  'application/geo+json': { extensions: ['geojson', 'json'] },
  'application/xml': { extensions: ['xml'] },
  'application/vnd.google-earth.kml+xml': { extensions: ['kml'] },
  'application/gpx+xml': { extensions: ['gpx'] },
  'text/csv': { extensions: ['csv', 'tsv', 'txt'] },
  'text/tab-separated-values': { extensions: ['tsv', 'tab', 'txt'] },
  'text/plain': { extensions: ['txt', 'md', 'csv', 'tsv', 'log'] },
}

/** True for types with a width and a height. */
export function isPicture(type: string): boolean {
  return kinds[type]?.picture === true
}
