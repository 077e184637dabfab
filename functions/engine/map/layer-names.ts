/** Names of the sources and layers that code outside of the style speaks to. */
export const choroplethLayer = 'choropleth'
/** The regions of a choropleth that have no value. */
export const noDataLayer = 'choropleth-none'
export const pointsSource = 'points'
export const pointLayer = 'point'
export const clusterLayer = 'cluster'

/** The names of one of several record layers: its source, its clickable layers, and its clusters. */
export function recordLayerNames(key: string) {
  return {
    source: `${pointsSource}-${key}`,
    point: `${pointLayer}-${key}`,
    cluster: `${clusterLayer}-${key}`,
  }
}

/** The id of a set's source, for `setFeatureState({ source, sourceLayer: level, id: gid }, { value })`. */
export function setSource(name: string): string {
  return `set-${name}`
}

/** The layer that names the regions of a level. */
export function nameLayer(set: string, level: string): string {
  return `${set}-${level}-label`
}
