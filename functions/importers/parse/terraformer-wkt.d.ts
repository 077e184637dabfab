/** The package comes without types. */
declare module '@terraformer/wkt' {
  /** The geometry of GeoJSON that a text of WKT is; throws when it is none. */
  export function wktToGeoJSON(wkt: string): unknown
}
