/*
 * The one script of hub pages, fetched when the page has been drawn. What every page has (theme, menu) is wired at
 * once; search, charts and maps are fetched when the page has them and someone comes near.
 */
import { wireCopy } from './copy.ts'
import { wearFaces } from './faces.ts'
import { wireBack, wireLanguage, wireMenu, wireSidebar } from './menu.ts'
import { wireTheme } from './theme.ts'

/** Failures a reader need not see are told to whoever listens for `hub:report`; nobody has to. */
const report = (error: unknown) => {
  window.dispatchEvent(new CustomEvent('hub:report', { detail: error }))
}

function all<E extends HTMLElement>(selector: string): E[] {
  return [...document.querySelectorAll<E>(selector)]
}

all<HTMLButtonElement>('[data-theme-toggle]').forEach(wireTheme)
all<HTMLDetailsElement>('[data-menu]').forEach(wireMenu)
all<HTMLButtonElement>('[data-sidebar-toggle]').forEach(wireSidebar)
all<HTMLAnchorElement>('[data-back]').forEach(wireBack)
all('[data-copy]').forEach((box) => wireCopy(box, report))
all<HTMLAnchorElement>('a[hreflang]').forEach(wireLanguage)

for (const box of all('[data-search]')) {
  // Until this has arrived the form is what it is without scripts: a request for the results page.
  const load = () => import('./search.ts').then(({ wireSearch }) => wireSearch(box, report), report)
  if (box.contains(document.activeElement)) void load()
  else box.addEventListener('focusin', () => void load(), { once: true })
}

const charts = all('[data-chart]')
if (charts.length > 0) {
  import('./chart.ts').then(({ wireChart }) => charts.forEach((chart) => wireChart(chart, report)), report)
}

const stills = all('[data-still]')
if (stills.length > 0) import('./figure-view.ts').then(({ wireView }) => stills.forEach(wireView), report)

// An address may ask for what the page has no more.
const sayMisfits = () => {
  if (location.hash.startsWith('#figure=') || all('.figure-misfit').length > 0)
    import('./figure-misfit.ts').then((misfit) => misfit.sayMisfits(), report)
}
sayMisfits()
addEventListener('hashchange', sayMisfits)

for (const form of all<HTMLFormElement>('[data-console]')) {
  // Until this has arrived the form is what it is without scripts: a request that the browser shows the answer of.
  import('./console.ts').then(({ wireConsole }) => wireConsole(form, report), report)
}

const maps = all('[data-map]')
if (maps.length > 0) {
  import('./map.ts').then(({ wireMap }) => maps.forEach((map) => wireMap(map, report)), report)
}

for (const box of all('[data-records]')) {
  // Until this has arrived its links and its form lead to pages of their own.
  import('./table.ts').then(({ wireTable }) => wireTable(box, report), report)
}

// A frame on another site stays as small as it is, says how high that is, and counts nobody.
const isEmbedded = 'embed' in document.documentElement.dataset
if (isEmbedded) import('./embed.ts').then(({ sayHeight }) => sayHeight(), report)
else wearFaces().catch(report)

// A page that was read says so when it is left. Readers who ask not to be counted do not even load the script.
const { doNotTrack, globalPrivacyControl, webdriver } = navigator as Navigator & {
  globalPrivacyControl?: boolean
}
if (doNotTrack !== '1' && !globalPrivacyControl && !webdriver && !isEmbedded) {
  const load = () => void import('./beacon.ts').catch(report)
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(load) : setTimeout(load, 200))
  if (document.readyState === 'complete') whenIdle()
  else addEventListener('load', whenIdle, { once: true })
}
