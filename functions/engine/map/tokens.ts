/** The values of a map's own colours in each theme, for what cannot read the style sheet: pictures as files, and WebGL. */
export const mapTokens = {
  light: {
    '--map-land': '#eae6df',
    '--map-water': '#e3ebef',
    '--map-line': '#c0bab2',
    '--map-label': '#514e58',
    '--map-layer': '#cb4d15',
    '--primary-ui': '#cb4d15',
  },
  dark: {
    '--map-land': '#2d2b34',
    '--map-water': '#1a2129',
    '--map-line': '#4f4c57',
    '--map-label': '#c5c1c3',
    '--map-layer': '#ec7945',
    '--primary-ui': '#ec7945',
  },
} as const
