/*
 * Sends one beacon when the page is first left or hidden: that it was read, and its speed. No cookie, no storage, nothing that
 * identifies a reader. `hub.ts` loads it after the page, and not for readers with tracking protection.
 */
import type { Beacon } from '#functions/shapes/beacon.ts'

/** The extra members of entries of some observers. */
interface Entry extends PerformanceEntry {
  value?: number
  hadRecentInput?: boolean
  interactionId?: number
}

const isPageHidden = () => document.visibilityState === 'hidden'
/** For a page loaded in the background, paint times are meaningless. */
const wasHidden =
  isPageHidden() || performance.getEntriesByType('visibility-state').some(({ name }) => name === 'hidden')

let lcp: number | undefined
let cls: number | undefined
/** The longest duration by interaction. */
const interactions = new Map<number, number>()
const observers: [PerformanceObserver, (entry: Entry) => void][] = []

function observe(type: string, onEntry: (entry: Entry) => void) {
  if (!PerformanceObserver.supportedEntryTypes?.includes(type)) return
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(onEntry))
  observer.observe({ type, buffered: true, durationThreshold: 40 } as PerformanceObserverInit)
  observers.push([observer, onEntry])
  if (type === 'layout-shift') cls = 0
}

/** "The largest burst": shifts less than 1 s apart, within 5 s (web.dev/articles/cls). */
let burst = 0
let burstBegan = 0
let shiftedAt = -Infinity

observe('largest-contentful-paint', ({ startTime }) => (lcp = startTime))
observe('layout-shift', ({ startTime, value = 0, hadRecentInput }) => {
  if (hadRecentInput) return
  if (startTime - shiftedAt > 1000 || startTime - burstBegan > 5000) {
    burst = 0
    burstBegan = startTime
  }
  shiftedAt = startTime
  burst += value
  cls = Math.max(cls ?? 0, burst)
})
const isInteraction = ({ interactionId, duration }: Entry) => {
  if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
}
observe('event', isInteraction)
observe('first-input', isInteraction)

/** The slowest interaction, ignoring one of every fifty (web.dev/articles/inp). */
function inp(): number | undefined {
  const all = (performance as { interactionCount?: number }).interactionCount ?? interactions.size
  const slowest = [...interactions.values()].sort((a, b) => b - a)
  return slowest[Math.min(slowest.length - 1, Math.floor(all / 50))]
}

/** The host of the referrer; undefined within the hub, and after reload or history navigation. */
function from(type: string | undefined): string | undefined {
  if (type !== 'navigate') return
  const host = document.referrer && new URL(document.referrer).host
  return host === location.host ? undefined : host
}

const round = (time: number | undefined) => (time === undefined ? undefined : Math.max(0, Math.round(time)))

let isSeen = !isPageHidden()
let isSent = false
function send({ type }: Event) {
  const isLeft = isPageHidden() || type === 'pagehide'
  if (!isLeft) isSeen = true
  // A page that was never visible was not read.
  if (!isLeft || !isSeen || isSent) return
  isSent = true
  for (const [observer, onEntry] of observers) observer.takeRecords().forEach(onEntry)
  const [load] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
    activationStart?: number
  })[]
  // A prerendered page starts with its activation.
  const startMs = load?.activationStart ?? 0
  const { width } = screen
  const beacon: { [Field in keyof Beacon]: Beacon[Field] | undefined } = {
    path: location.pathname,
    from: from(load?.type),
    device: width < 600 ? 'phone' : width < 1025 ? 'tablet' : 'desktop',
    lcp: wasHidden || lcp === undefined ? undefined : round(lcp - startMs),
    cls: cls && Math.round(cls * 1e4) / 1e4,
    inp: round(inp()),
    ttfb: load && round(load.responseStart - startMs),
  }
  navigator.sendBeacon('/beacon', JSON.stringify(beacon))
}

/** Sends the beacon when the page is first left or hidden. What was painted before is counted from when this module is loaded. */
export function sendWhenLeft(): void {
  addEventListener('visibilitychange', send)
  addEventListener('pagehide', send)
}
