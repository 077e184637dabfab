/*
 * The script of hub pages, loaded after the page is painted. Theme and menus are wired at once; code for search, charts and maps is
 * loaded when the page has them and they are needed.
 */
import { wireCopy } from './copy.ts'
import { applyWebFonts } from './web-fonts.ts'
import { wireBack, wireLanguage, wireMenu, wireSidebar } from './menu.ts'
import { wireTheme } from './theme.ts'

/** Failures that readers need not see are dispatched as `hub:report` events. */
const report = (error: unknown) => {
  window.dispatchEvent(new CustomEvent('hub:report', { detail: error }))
}

function queryAll<E extends HTMLElement>(selector: string): E[] {
  return [...document.querySelectorAll<E>(selector)]
}

queryAll<HTMLButtonElement>('[data-theme-toggle]').forEach(wireTheme)
queryAll<HTMLDetailsElement>('[data-menu]').forEach(wireMenu)
queryAll<HTMLButtonElement>('[data-sidebar-toggle]').forEach(wireSidebar)
queryAll<HTMLAnchorElement>('[data-back]').forEach(wireBack)
queryAll('[data-copy]').forEach((box) => wireCopy(box, report))
queryAll<HTMLAnchorElement>('a[hreflang]').forEach(wireLanguage)

for (const box of queryAll('[data-search]')) {
  // Until this is loaded the form works as without scripts: it opens the results page.
  const load = () => import('./search.ts').then(({ wireSearch }) => wireSearch(box, report), report)
  if (box.contains(document.activeElement)) void load()
  else box.addEventListener('focusin', () => void load(), { once: true })
}

const charts = queryAll('[data-chart]')
if (charts.length > 0) {
  import('./chart.ts').then(({ wireChart }) => charts.forEach((chart) => wireChart(chart, report)), report)
}

const stills = queryAll('[data-still]')
if (stills.length > 0) import('./figure-view.ts').then(({ wireView }) => stills.forEach(wireView), report)

// The URL may contain states that the page no longer supports.
const checkMisfits = () => {
  if (location.hash.startsWith('#figure=') || queryAll('.figure-misfit').length > 0)
    import('./figure-misfit.ts').then((misfit) => misfit.showMisfits(), report)
}
checkMisfits()
addEventListener('hashchange', checkMisfits)

for (const form of queryAll<HTMLFormElement>('[data-console]')) {
  // Until this is loaded the form works as without scripts: it opens the response.
  import('./request-console.ts').then(({ wireConsole }) => wireConsole(form, report), report)
}

const maps = queryAll('[data-map]')
if (maps.length > 0) {
  import('./map.ts').then(({ wireMap }) => maps.forEach((map) => wireMap(map, report)), report)
}

for (const box of queryAll('[data-records]')) {
  // Until this is loaded its links and form open pages.
  import('./table.ts').then(({ wireTable }) => wireTable(box, report), report)
}

// An embed only reports its height, and sends no beacon.
const isEmbedded = 'embed' in document.documentElement.dataset
if (isEmbedded) import('./embed.ts').then(({ postHeight }) => postHeight(), report)
else applyWebFonts().catch(report)

// The beacon is not loaded for readers with tracking protection.
const { doNotTrack, globalPrivacyControl, webdriver } = navigator as Navigator & {
  globalPrivacyControl?: boolean
}
if (doNotTrack !== '1' && !globalPrivacyControl && !webdriver && !isEmbedded) {
  const load = () => void import('./beacon.ts').then(({ sendWhenLeft }) => sendWhenLeft(), report)
  // A page that is never idle was read all the same.
  const loadWhenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(load, { timeout: 2000 }) : setTimeout(load, 200)
  if (document.readyState === 'complete') loadWhenIdle()
  else addEventListener('load', loadWhenIdle, { once: true })
}
