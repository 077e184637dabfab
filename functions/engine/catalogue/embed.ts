import { xmlText } from '#functions/engine/export/xml.ts'
import { directionOf, type Locale } from '#functions/shapes/locale.ts'

/** What a frame on another site shows. Texts are plain; '' for none. Addresses are absolute, but the picture's. */
interface Embedded {
  language: Locale
  title: string
  text: string
  date: string
  place: string
  /** The page that it is of. */
  url: string
  /** Where it is one number. */
  value: string
  /** The figure as SVGs that bring their own colours, and the picture that is shown where they are too large. */
  wide: string
  narrow: string
  picture: { path: string; width: number; height: number }
}

/** The most bytes of a frame's page: "≤ 20 kB". */
export const mostBytes = 20_000

const style = `:root{color-scheme:light dark;--text:#26252e;--muted:#62606b;--ground:#fff;--link:#1d569a}
@media(prefers-color-scheme:dark){:root{--text:#f2f0ec;--muted:#b5b2bd;--ground:#1b1a20;--link:#8ec5f4}}
*{box-sizing:border-box}body{margin:0;padding:1rem;display:flex;flex-direction:column;gap:.5rem;min-height:100vh;background:var(--ground);color:var(--text);font:1rem/1.4 'Public Sans',system-ui,sans-serif}
h1{font-size:1.1rem;margin:0}p{margin:0;color:var(--muted)}.value{font-size:3rem;font-weight:600;color:var(--text)}a{color:var(--link)}
svg,img{display:block;width:100%;height:auto;max-height:70vh}.narrow{display:none}
@media(max-width:559px){.wide{display:none}.narrow{display:block}}footer{margin-top:auto;font-size:.875rem;color:var(--muted)}
[dir=rtl] :is(h1,p,svg text){unicode-bidi:plaintext}[dir=rtl] .value{direction:ltr;text-align:right}`

/**
 * The figure of a page by itself, for frames on other sites: a whole document without scripts, cookies or anything fetched
 * but, where the drawing is too large for 20 kB, its picture. Its links leave the frame.
 */
export function embedPage(shown: Embedded): string {
  const withDrawing = page(shown, drawings(shown))
  if (size(withDrawing) <= mostBytes) return withDrawing
  const narrowOnly = page(shown, shown.narrow === '' ? '' : `<div>${shown.narrow}</div>`)
  return shown.narrow !== '' && size(narrowOnly) <= mostBytes ? narrowOnly : page(shown, image(shown))
}

const size = (text: string) => new TextEncoder().encode(text).length

function drawings({ wide, narrow }: Embedded): string {
  if (wide === '') return ''
  return narrow === ''
    ? `<div>${wide}</div>`
    : `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`
}

function image({ picture, title, text }: Embedded): string {
  const { path, width, height } = picture
  return `<img src="${xmlText(path)}" width="${width}" height="${height}" alt="${xmlText(text || title)}">`
}

function page({ language, title, text, date, place, url, value }: Embedded, drawing: string): string {
  const about = [place, date].filter(Boolean).join(' · ')
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${xmlText(title)}</title><meta name="robots" content="noindex"><link rel="canonical" href="${xmlText(url)}"><style>${style}</style></head>
<body><h1>${xmlText(title)}</h1>${value === '' ? '' : `<p class="value">${xmlText(value)}</p>`}${text === '' ? '' : `<p>${xmlText(text)}</p>`}${drawing}<footer><a href="${xmlText(url)}" target="_blank" rel="noopener">${xmlText(about)}</a></footer></body></html>
`
}
