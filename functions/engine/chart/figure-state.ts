import type { Slice } from './slice.ts'

/** The views of an answer besides the default of the page. */
const views = ['chart', 'map', 'table'] as const

/** How a reader sees a figure: as chart, map or table, and what of its answer. Absent: as the page shows it. */
export interface FigureState extends Slice {
  view?: (typeof views)[number]
  /** What its live map shows, as the parameters of a map's own URL: `bbox=1,2,3,4&off=0`. Pictures have no such state. */
  map?: string
}

/** The parameters of a live map; the island of maps reads them. */
const mapParameters: readonly string[] = ['bbox', 'sel', 'layers', 'off', 'time']

/** Longer fragments are ignored: no interaction creates them. */
const longest = 4000
const maxFigures = 20
const maxSeries = 50

/**
 * Parses the figure states in a URL fragment, by figure name:
 * `figure=…&view=map&from=…&to=…&series=…&series=…&highlight=…`, once per figure, with `bbox` and others for a live map. Unknown parameters are ignored.
 */
export function readStates(hash: string): Map<string, FigureState> {
  const states = new Map<string, FigureState>()
  if (hash.length > longest) return states
  let state: FigureState | undefined
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
    if (name === 'figure') {
      if (states.size >= maxFigures) break
      states.set(value, (state = states.get(value) ?? {}))
    } else if (!state) continue
    else if (name === 'view') setView(state, value)
    else if (name === 'from' || name === 'to' || name === 'highlight') state[name] = value
    else if (mapParameters.includes(name)) state.map = withParameter(state.map, name, value)
    else if (name === 'series' && (state.series?.length ?? 0) < maxSeries)
      state.series = [...(state.series ?? []), value]
  }
  return states
}

function setView(state: FigureState, value: string) {
  const view = views.find((one) => one === value)
  if (view) state.view = view
}

/** Appends a parameter of a live map, once each; commas need no escape in a URL. */
function withParameter(before: string | undefined, name: string, value: string): string {
  const parameters = new URLSearchParams(before)
  if (!parameters.has(name)) parameters.append(name, value)
  return formatParameters(parameters)
}

const formatParameters = (parameters: URLSearchParams) => parameters.toString().replaceAll('%2C', ',')

/** The state of a picture in a query string, like that of one figure in `readStates` but without that of a live map. */
export function stateInQuery(query: URLSearchParams): Omit<FigureState, 'map'> {
  const { map: _map, ...state } = readStates(`figure=&${query.toString()}`).get('') ?? {}
  return state
}

/** Serialises states: '' where all figures are in their default state. */
export function writeStates(states: ReadonlyMap<string, FigureState>): string {
  const text = new URLSearchParams()
  for (const [figure, { view, from, to, series, highlight, map }] of states) {
    const pairs: [string, string | undefined][] = [
      ['view', view],
      ['from', from],
      ['to', to],
      ...(series ?? []).map((key): [string, string] => ['series', key]),
      ['highlight', highlight],
      ...new URLSearchParams(map),
    ]
    const entries = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined)
    if (entries.length === 0) continue
    text.append('figure', figure)
    for (const [name, value] of entries) text.append(name, value)
  }
  const parameters = formatParameters(text)
  return parameters === '' ? '' : `#${parameters}`
}
