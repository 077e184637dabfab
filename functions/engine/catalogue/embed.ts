import { xmlText } from '#functions/engine/export/xml.ts'
import { chartTokens } from '#functions/engine/chart/palette.ts'
import {
  mapFigure,
  mapStyle,
  type EmbeddedMap,
  type FrameSign,
  legendColours,
  legendItems,
} from './embed-map.ts'
import { getTextDirection, type Locale } from '#functions/shapes/locale.ts'

/** The contents of an embedded figure. Texts are plain; '' for none. URLs are absolute, except the picture's. */
interface EmbedContent {
  language: Locale
  title: string
  text: string
  date: string
  place: string
  /** The page that it is of. */
  url: string
  /** For a single number. */
  value: string
  /** The figure as SVGs with inline colours, and the picture that is shown where they are too large. */
  wide: string
  narrow: string
  picture: { path: string; width: number; height: number }
  /** The script of hub pages: it reports the height of the page to its parent, and makes the chart interactive on request. */
  script: string
  /** The data that make the chart interactive; null for a static picture. */
  live: { name: string; chart: string; narrow: string; answer: string | undefined } | null
  /** The data that make the map interactive, if it can be: it has its own legend. */
  map: EmbeddedMap | null
  /** The legend of a static map. */
  legend: FrameSign[]
  /** An alternative picture of the answer, for URLs that request it. */
  other: { href: string; name: string } | null
  /** The label of the button that makes it interactive. */
  explore: string
}

/** The most bytes of a frame's page: "≤ 20 kB". */
export const maxBytes = 20_000
/**
 * The most bytes of the page of a hub's map, which has all of its layers: a picture instead would show layers
 * that are switched off. From "first picture ≤ 60 kB".
 */
export const maxMapBytes = 60_000

const style = `:root{color-scheme:light dark;--text:#26252e;--muted:#62606b;--ground:#fff;--link:#1d569a}
@media(prefers-color-scheme:dark){:root{--text:#f2f0ec;--muted:#b5b2bd;--ground:#1b1a20;--link:#8ec5f4}}
*{box-sizing:border-box}body{margin:0;padding:1rem;display:flex;flex-direction:column;gap:.5rem;min-height:100vh;background:var(--ground);color:var(--text);font:1rem/1.4 'Public Sans',system-ui,sans-serif}
h1{font-size:1.1rem;margin:0}p{margin:0;color:var(--muted)}.value{font-size:3rem;font-weight:600;color:var(--text)}a{color:var(--link)}
svg,img{display:block;width:100%;height:auto;max-height:70vh}.figure-narrow{display:none}
@media(max-width:559px){svg{--map-wide:none;--map-narrow:inline}.figure-wide{display:none}.figure-narrow{display:block}}footer{margin-top:auto;font-size:.875rem;color:var(--muted)}
[dir=rtl] :is(h1,p,svg text){unicode-bidi:plaintext}[dir=rtl] .value{direction:ltr;text-align:right}`

/** Styles for the controls of an interactive chart. */
const liveStyle = `:root{--surface:var(--ground);--surface-raised:var(--ground);--primary-text:var(--link);--border-strong:var(--muted);--measure:40rem;${colours('light')}}
@media(prefers-color-scheme:dark){:root{${colours('dark')}}}
figure{margin:0}figcaption,.figure-foot{display:flex;flex-wrap:wrap;gap:.5rem 1rem}[hidden]{display:none!important}
.figure-plot{position:relative}.figure-live{position:absolute;inset:0;background:var(--ground)}.is-live .figure-plot>:not(.figure-live){visibility:hidden}
button,summary,select,input{font:inherit;color:inherit;background:var(--ground)}button{border:0;padding:0;color:var(--link);text-decoration:underline;min-height:24px}
.figure-data{display:none;overflow:auto}[data-shows=table] .figure-data{display:block}[data-shows=table] .figure-plot,[data-shows=map] .figure-plot,[data-shows=chart] .figure-plot,.figure-other{display:none}[data-shows=map] .figure-other,[data-shows=chart] .figure-other{display:block}
ul{list-style:none;margin:0;padding:0}table{border-collapse:collapse;font-size:.875rem}th,td{padding:.25rem .75rem .25rem 0;text-align:start;border-bottom:1px solid var(--muted)}.is-number{text-align:end}`

/** Styles for a map's legend, which is not part of its drawing. */
const legendStyle = `.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.875rem;list-style:none;margin:0;padding:0}.legend li{display:flex;align-items:center;gap:.5rem}.legend svg{width:1rem}`

const renderOtherPicture = ({ href }: NonNullable<EmbedContent['other']>, title: string): string =>
  `<img class="figure-other" src="${xmlText(href)}" alt="${xmlText(title)}" loading="lazy">`

function colours(theme: 'light' | 'dark'): string {
  const categorical = Object.entries(chartTokens[theme]).filter(([name]) => name.startsWith('--cat-'))
  return categorical.map(([name, value]) => `${name}:${value}`).join(';')
}

/**
 * An embeddable figure: a complete document without cookies that works without scripts. It only fetches its picture
 * where the drawing exceeds 20 kB (a map's: 60 kB), and then the script of hub pages. Links open outside of the frame.
 */
export function embedPage(embedded: EmbedContent): string {
  const withDrawing = page(embedded, drawings(embedded))
  const most = embedded.map ? maxMapBytes : maxBytes
  if (size(withDrawing) <= most) return withDrawing
  const narrowOnly = page(embedded, embedded.narrow === '' ? '' : `<div>${embedded.narrow}</div>`)
  return embedded.narrow !== '' && size(narrowOnly) <= most ? narrowOnly : page(embedded, image(embedded))
}

const size = (text: string) => new TextEncoder().encode(text).length

function drawings({ wide, narrow }: EmbedContent): string {
  if (wide === '') return ''
  return narrow === ''
    ? `<div>${wide}</div>`
    : `<div class="figure-wide">${wide}</div><div class="figure-narrow">${narrow}</div>`
}

function image({ picture, title, text }: EmbedContent): string {
  const { path, width, height } = picture
  return `<img src="${xmlText(path)}" width="${width}" height="${height}" alt="${xmlText(text || title)}">`
}

function page(embedded: EmbedContent, drawing: string): string {
  const { language, title, text, date, place, url, value, script, live, map } = embedded
  const isLive = live !== null || map !== null
  const styles = [
    isLive || embedded.other ? liveStyle : '',
    map ? mapStyle(map) : '',
    embedded.legend.length > 0 ? legendStyle + legendColours(embedded.legend) : '',
  ]
  const figure = map
    ? mapFigure(map, title, drawing)
    : live
      ? liveFigure(embedded, drawing)
      : renderStaticFigure(embedded, drawing)
  const about = [place, date].filter(Boolean).join(' · ')
  return `<!doctype html>
<html lang="${language}" dir="${getTextDirection(language)}" data-embed><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${xmlText(title)}</title><meta name="robots" content="noindex"><meta property="og:site_name" content="${xmlText(place)}"><link rel="canonical" href="${xmlText(url)}"><style>${style}${styles.join('')}</style><script type="module" src="${xmlText(script)}"></script></head>
<body><h1 id="title">${xmlText(title)}</h1>${value === '' ? '' : `<p class="value">${xmlText(value)}</p>`}${text === '' ? '' : `<p>${xmlText(text)}</p>`}${figure}<footer><a href="${xmlText(url)}" target="_blank" rel="noopener">${xmlText(about)}</a></footer></body></html>
`
}

/** A static drawing, with the alternative picture if there is one. */
function renderStaticFigure({ title, other, legend }: EmbedContent, drawing: string): string {
  const signs = renderLegend(legend)
  if (!other) return drawing + signs
  return (
    `<figure aria-labelledby="title" data-still data-figure="${xmlText(other.name)}">` +
    `<div class="figure-plot" data-plot>${drawing}${signs}</div>${renderOtherPicture(other, title)}</figure>`
  )
}

/** The legend of a map. */
function renderLegend(legend: EmbedContent['legend']): string {
  return legend.length === 0 ? '' : `<ul class="legend">${legendItems(legend)}</ul>`
}

/** The drawing with the data that the script of hub pages needs. */
function liveFigure({ title, live, explore, narrow, other }: EmbedContent, drawing: string): string {
  const attributes = Object.entries({
    'data-figure': live?.name,
    'data-chart-href': live?.chart,
    'data-chart-href-narrow': narrow === '' ? undefined : live?.narrow,
    'data-answer-href': live?.answer,
  })
  const pairs = attributes.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${xmlText(value)}"`],
  )
  return (
    `<figure aria-labelledby="title" data-chart ${pairs.join(' ')}><figcaption><span hidden>${xmlText(title)}</span></figcaption>` +
    `<div class="figure-plot" data-plot>${drawing}</div>${other ? renderOtherPicture(other, title) : ''}<div class="figure-data"><div class="table-box"></div></div>` +
    `<div class="figure-foot"><button type="button" data-explore hidden>${xmlText(explore)}</button></div></figure>`
  )
}
