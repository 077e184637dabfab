import type { Map as LiveMap, VectorSourceSpecification, VectorTileSource } from 'maplibre-gl'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { MapData, MapTime } from './map-data.ts'
import { duringFilter, nameOfPeriod, getNextSpan, periodAt } from './map-periods.ts'

type Span = [from: string, to: string]

/** Duration of each step while playing, in milliseconds. */
const stepMs = 1200
/** Debounce of announcements, in milliseconds; sliders announce their own values. */
const quietMs = 800

/**
 * Shows the records of these periods: only tiles of sources with dates are reloaded. The styles of both themes are updated, so that a
 * change of theme shows the same.
 */
export function showDuring(map: LiveMap, data: MapData, span: Span | undefined): void {
  const { time, style, darkStyle } = data
  if (!time) return
  for (const layer of time.layers) {
    for (const each of [style, darkStyle]) {
      const source = each?.sources[layer.source] as VectorSourceSpecification | undefined
      const [tiles = ''] = source?.tiles ?? []
      if (source) source.tiles = [tilesDuring(tiles, time, layer, span)]
    }
    requestTiles(map, layer.source, style)
  }
}

/** Maps with pending tile requests, and their sources. */
const waiting = new WeakMap<LiveMap, Set<string>>()

/**
 * Reloads the tiles of a source after its URL changed. MapLibre keeps a tile that was loading at that time, so its end is awaited
 * first; then the latest URL is used.
 */
function requestTiles(map: LiveMap, name: string, style: MapData['style']): void {
  const sources = waiting.get(map) ?? new Set()
  waiting.set(map, sources)
  if (sources.has(name)) return
  const request = () => {
    sources.delete(name)
    const { tiles } = (style.sources[name] ?? {}) as Partial<VectorSourceSpecification>
    if (tiles) map.getSource<VectorTileSource>(name)?.setTiles(tiles)
  }
  if (!map.getSource(name) || map.isSourceLoaded(name)) return request()
  sources.add(name)
  void map.once('idle', request)
}

function tilesDuring(tiles: string, time: MapTime, layer: MapTime['layers'][number], span: Span | undefined) {
  const [path = '', query = ''] = tiles.split('?')
  const otherParts = query.split('&').filter((part) => part !== '' && !part.startsWith('filters='))
  const [from, to] = (span ?? []).map((name) => periodAt(time.unit, name))
  if (from !== undefined && to !== undefined && from !== null && to !== null)
    otherParts.push(`filters=${encodeURIComponent(JSON.stringify(duringFilter(time, layer, [from, to])))}`)
  return otherParts.length > 0 ? `${path}?${otherParts.join('&')}` : path
}

/**
 * Adds two sliders below a live map with dates, for the first and last shown period, a play button, and a status line. With reduced
 * motion the button steps instead.
 */
export function addTime(
  figure: HTMLElement,
  data: MapData,
  first: Span | undefined,
  onChange: (span: Span | undefined) => void,
): void {
  const { time } = data
  const [least, most] = time ? [periodAt(time.unit, time.from), periodAt(time.unit, time.to)] : []
  if (!time || typeof least !== 'number' || typeof most !== 'number' || least >= most) return
  const words = islandTexts().mapTime
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const inside = (name: string | undefined, otherwise: number) => {
    const period = name === undefined ? null : periodAt(time.unit, name)
    return period === null ? otherwise : Math.min(most, Math.max(least, period))
  }
  let [from, to] = [inside(first?.[0], least), inside(first?.[1], most)]
  const read = reader(time.unit)
  const { begin, end, play, whole, shown: shownLine, announce, group } = makeControls(words, least, most)
  let playing: ReturnType<typeof setInterval> | undefined

  const updateControls = () => {
    const isWhole = from === least && to === most
    begin.set(from, read(from))
    end.set(to, read(to))
    whole.disabled = isWhole
    play.textContent = isCalm ? words.next : playing === undefined ? words.play : words.pause
    const span = from === to ? read(from) : words.span.replace('{from}', read(from)).replace('{to}', read(to))
    const names = pickEnabledLayers(data, time).map(({ name }) => name)
    // Hidden while no layer with dates is enabled.
    group.hidden = names.length === 0
    if (group.hidden) stop()
    // For pictures, which have no list.
    shownLine.dataset['span'] = `${span} (${names.join(', ')})`
    shownLine.textContent = words.shown
      .replace('{span}', () => span)
      .replace('{names}', () => names.join(', '))
    if (names.length > 0) announce(playing === undefined)
    return isWhole
  }
  const show = () =>
    onChange(updateControls() ? undefined : [nameOfPeriod(time.unit, from), nameOfPeriod(time.unit, to)])
  const stop = () => {
    clearInterval(playing)
    playing = undefined
  }
  const step = () => {
    ;[from, to] = getNextSpan([from, to], [least, most])
    show()
  }
  const applyMove = () => {
    stop()
    const [a, b] = [Number(begin.input.value), Number(end.input.value)]
    // Moving one end past the other moves both.
    if (a !== from) [from, to] = [a, Math.max(a, b)]
    else [from, to] = [Math.min(a, b), b]
    updateControls()
  }
  for (const { input } of [begin, end]) {
    input.addEventListener('input', applyMove)
    input.addEventListener('change', show)
  }
  play.addEventListener('click', () => {
    if (isCalm) return step()
    if (playing === undefined) {
      playing = setInterval(() => (figure.isConnected ? step() : stop()), stepMs)
      step()
    } else stop()
    updateControls()
  })
  whole.addEventListener('click', () => {
    stop()
    ;[from, to] = [least, most]
    show()
  })
  for (const each of switches()) each.addEventListener('change', updateControls)
  figure.querySelector('[data-plot]')?.insertAdjacentElement('afterend', group)
  if (first) show()
  else updateControls()
}

const switches = () => [...document.querySelectorAll<HTMLInputElement>('[data-map-switch]')]

/** The enabled layers with dates. */
function pickEnabledLayers(
  { style, switches: layerIdsBySwitch }: MapData,
  { layers }: MapTime,
): MapTime['layers'] {
  const off = switches().filter(({ checked }) => !checked)
  const hidden = new Set(off.flatMap((each) => layerIdsBySwitch?.[each.dataset.mapSwitch ?? ''] ?? []))
  return layers.filter(({ source }) =>
    style.layers.some((layer) => 'source' in layer && layer.source === source && !hidden.has(layer.id)),
  )
}

function makeControls(words: ReturnType<typeof islandTexts>['mapTime'], least: number, most: number) {
  const shownLine = buildElement('p', { className: 'map-time-shown', ariaHidden: 'true' })
  const status = buildElement('p', { className: 'sr-only' })
  status.setAttribute('role', 'status')
  const announce = announcer(shownLine, status)
  const [begin, end] = [slider(words.from, least, most), slider(words.to, least, most)]
  const play = buildElement('button', { type: 'button', className: 'map-part' })
  const whole = buildElement('button', { type: 'button', className: 'map-part', textContent: words.all })
  const group = buildElement(
    'div',
    { className: 'map-time', ariaLabel: words.label },
    ...[begin.label, end.label, play, whole, shownLine, status],
  )
  group.setAttribute('role', 'group')
  return { begin, end, play, whole, shown: shownLine, announce, group }
}

/** Copies the status to a live region after a pause; while playing only at the end. */
function announcer(line: HTMLElement, status: HTMLElement): (isStill: boolean) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  return (isStill) => {
    clearTimeout(waiting)
    // Not before the first change.
    if (status.textContent === '') status.textContent = line.textContent
    else if (isStill) waiting = setTimeout(() => (status.textContent = line.textContent), quietMs)
  }
}

function slider(text: string, least: number, most: number) {
  const input = buildElement('input', { type: 'range', min: String(least), max: String(most), step: '1' })
  // Visible only: the slider announces its value itself, so an `output` or label would repeat it.
  const value = buildElement('span', { className: 'map-time-value', ariaHidden: 'true' })
  const set = (period: number, name: string) => {
    input.value = String(period)
    input.setAttribute('aria-valuetext', name)
    value.textContent = name
  }
  return {
    input,
    set,
    label: buildElement('label', {}, buildElement('span', { textContent: text }), input, value),
  }
}

/** Formats a period in the language of the page. */
function reader(unit: MapTime['unit']): (period: number) => string {
  const parts = {
    year: { year: 'numeric' },
    month: { year: 'numeric', month: 'short' },
    day: { dateStyle: 'medium' },
  } as const
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { ...parts[unit], timeZone: 'UTC' })
  return (period) => {
    const name = nameOfPeriod(unit, period)
    return format.format(new Date(`${name}${{ year: '-01-01', month: '-01', day: '' }[unit]}T00:00:00Z`))
  }
}
