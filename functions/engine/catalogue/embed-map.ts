import { chartTokens } from '#functions/engine/chart/palette.ts'
import { hatchColour, hatchOpacity, hatchSign } from '#functions/engine/map/hatch.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'
import { xmlText } from '#functions/engine/export/xml.ts'

/** A colour of the legend and its meaning. */
export interface FrameSign {
  label: string
  fill: string
  /** For areas without a value, as on the map itself. */
  isHatched?: boolean
}

/** An embedded map: the data that make it interactive, its switches, and its legend. Texts are plain; '' for none. */
export interface EmbeddedMap {
  /** The name of the figure in URLs, where its page has one. */
  name?: string
  href: string
  switches: { key: string; name: string; fill?: string; isOn: boolean }[]
  /** Names the switches. */
  layers: string
  legend: FrameSign[]
  /** The label of the button that makes it interactive. */
  explore: string
}

/**
 * Styles of a map's switches and legend, in addition to those of a chart: a switch that is off hides its part of the
 * drawing. A static picture has all layers and its own legend: switches and legend appear only when the map is
 * interactive.
 */
export const mapStyle = ({ switches, legend }: EmbeddedMap): string =>
  `:root{${renderColours(legend, 'light')}--radius-1:4px;--space-1:.25rem;--space-2:.5rem;--text-muted:var(--muted)}@media(prefers-color-scheme:dark){:root{${renderColours(legend, 'dark')}}}
fieldset{border:0;margin:0;padding:0;font-size:.875rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem}legend{padding:0;float:inline-start;margin-inline-end:1rem}fieldset label{display:inline-flex;align-items:center;gap:.375rem;min-height:24px}
.legend ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.875rem}.legend li{display:flex;align-items:center;gap:.5rem}.legend svg{width:1rem}label svg{width:12px}
.figure-plot{overflow:hidden}figure:has([data-plot]>img):not(.is-live) :is(fieldset,.legend){display:none}${switches
    .map(
      ({ key }) =>
        `figure:has([data-map-switch="${cssName(key)}"]:not(:checked)) .map-${cssName(key)}{display:none}`,
    )
    .join('')}`

/** The colours of a legend in both themes, where its drawing is a file. */
export const legendColours = (legend: readonly FrameSign[]): string =>
  `:root{${renderColours(legend, 'light')}}@media(prefers-color-scheme:dark){:root{${renderColours(legend, 'dark')}}}`

/** The colours of the land and the legend in a theme: a frame has none of the hub's styles. */
function renderColours(legend: readonly FrameSign[], theme: 'light' | 'dark'): string {
  const tokens: Readonly<Record<string, string>> = { ...chartTokens[theme], ...mapTokens[theme] }
  const names = new Set(['--map-land', ...legend.flatMap(({ fill }) => /--[\w-]+/.exec(fill) ?? [])])
  return [...names].map((name) => (tokens[name] ? `${name}:${tokens[name]};` : '')).join('')
}

/** Keys are our own names; anything else is stripped from styles. */
const cssName = (key: string) => key.replace(/[^\w-]/g, '')

/** The drawing with its switches and its legend, and the data that the script of hub pages needs. */
export function mapFigure(map: EmbeddedMap, title: string, drawing: string): string {
  const { href, name: figure, switches, layers, explore } = map
  const figureAttribute = figure === undefined ? '' : ` data-figure="${xmlText(figure)}"`
  const boxes = switches.map(
    ({ key, name, fill, isOn }) =>
      `<label><input type="checkbox" data-map-switch="${xmlText(key)}"${isOn ? ' checked' : ''}>` +
      `${fill ? `<svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5.5" fill="${xmlText(fill)}"/></svg>` : ''}${xmlText(name)}</label>`,
  )
  const fieldset =
    boxes.length === 0 ? '' : `<fieldset><legend>${xmlText(layers)}</legend>${boxes.join('')}</fieldset>`
  return (
    `<figure aria-labelledby="title" data-map data-map-href="${xmlText(href)}"${figureAttribute}><figcaption><span hidden>${xmlText(title)}</span></figcaption>${fieldset}` +
    `<div class="figure-plot" data-plot>${drawing}</div>${renderLegend(map)}` +
    `<div class="figure-foot"><button type="button" data-explore hidden>${xmlText(explore)}</button></div></figure>`
  )
}

const renderLegend = ({ legend }: EmbeddedMap): string =>
  legend.length === 0 ? '' : `<div class="legend"><ul>${legendItems(legend)}</ul></div>`

/** The legend as list items. */
export const legendItems = (legend: readonly FrameSign[]): string =>
  legend
    .map(
      ({ label, fill, isHatched }) =>
        `<li><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="2" fill="${xmlText(fill)}"/>` +
        `${isHatched ? `<path d="${hatchSign}" stroke="${hatchColour}" stroke-opacity="${hatchOpacity}"/>` : ''}</svg>${xmlText(label)}</li>`,
    )
    .join('')
