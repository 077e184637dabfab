/** Numeric members of a timetable (GTFS Schedule reference). All others are texts: ids keep leading zeros. */
const numeric = new Set(
  [
    'stop_lat stop_lon shape_pt_lat shape_pt_lon shape_pt_sequence shape_dist_traveled stop_sequence price transfers',
    'transfer_duration min_transfer_time transfer_type headway_secs exact_times direction_id pickup_type drop_off_type',
    'continuous_pickup continuous_drop_off timepoint payment_method exception_type route_sort_order bikes_allowed',
    'cars_allowed pathway_mode is_bidirectional length traversal_time stair_count max_slope min_width level_index',
    'monday tuesday wednesday thursday friday saturday sunday is_default is_producer is_operator is_authority',
  ]
    .join(' ')
    .split(' '),
)

const routes = ['light rail', 'subway', 'rail', 'bus', 'ferry', 'cable tram', 'aerial lift', 'funicular']
const moreRoutes: Record<string, string> = { 11: 'trolleybus', 12: 'monorail' }
/** The extended route types, by their hundreds. */
const routeGroups: Record<string, string> = {
  1: 'rail',
  2: 'coach',
  4: 'urban railway',
  5: 'metro',
  6: 'underground',
  7: 'bus',
  8: 'trolleybus',
  9: 'tram',
  10: 'water transport',
  11: 'air',
  12: 'ferry',
  13: 'aerial lift',
  14: 'funicular',
  15: 'taxi',
  17: 'miscellaneous',
}
const locations = ['stop', 'station', 'station entrance', 'generic node', 'boarding area']

/**
 * Converts a member of a timetable: numbers, words for types of routes and locations, booleans for wheelchair access
 * (undefined where unknown); undefined for an empty one. `null`: an invalid number.
 */
export function gtfsValue(name: string, text: string): string | number | boolean | undefined | null {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (name === 'route_type')
    return routes[Number(trimmed)] ?? moreRoutes[trimmed] ?? routeGroups[trimmed.slice(0, -2)] ?? trimmed
  if (name === 'location_type') return locations[Number(trimmed)] ?? trimmed
  if (name === 'wheelchair_boarding' || name === 'wheelchair_accessible')
    return trimmed === '1' ? true : trimmed === '2' ? false : trimmed === '0' ? undefined : trimmed
  if (!numeric.has(name)) return trimmed
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : null
}

/** The type of a file's rows: its name in the singular. */
export function gtfsType(file: string): string {
  const name = file
    .replace(/^.*\//, '')
    .replace(/\.(txt|csv)$/i, '')
    .toLowerCase()
  return name.replace(/ies$/, 'y').replace(/s$/, '')
}
