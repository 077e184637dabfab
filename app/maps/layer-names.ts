/** Names of the sources and layers that code outside of the style speaks to. */
export const choroplethLayer = 'choropleth'
export const pointsSource = 'points'
export const pointLayer = 'point'
export const clusterLayer = 'cluster'
