import type { ChartPoint } from '#functions/engine/chart/hydrate.ts'
import './figure-points.css'

/** Maximum distance of the pointer from a mark, in pixels. */
const reach = 48

/**
 * Lets a reader explore the values of a live chart: the mark nearest to the pointer is highlighted with its value, and arrow keys move
 * between marks (right and left along the chart, up and down between series, Home and End). For assistive technology the chart is a
 * slider. `label`: its name, `hint`: instructions. Gives the function that removes it.
 */
export function wirePoints(
  box: HTMLElement,
  points: ChartPoint[],
  { label, hint }: { label: string; hint: string },
): () => void {
  if (points.length === 0) return () => {}
  const tip = makeTip(box)
  let at = -1

  const show = (index: number) => {
    const point = points[index]
    if (!point) return
    at = index
    tip.show(point)
    box.setAttribute('aria-valuenow', String(index + 1))
    box.setAttribute('aria-valuetext', point.text)
  }
  const toPointer = ({ clientX, clientY }: PointerEvent) => {
    const index = findNearestIndex(points, box.getBoundingClientRect(), clientX, clientY)
    if (index === undefined) tip.hide()
    else show(index)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') return tip.hide()
    const next = indexAfter(event.key, points, at)
    if (next === undefined) return
    event.preventDefault()
    show(next)
  }

  box.tabIndex = 0
  const attributes = {
    role: 'slider',
    'aria-label': label,
    'aria-description': hint,
    'aria-valuemin': '1',
    'aria-valuemax': String(points.length),
    'aria-valuenow': '1',
    'aria-valuetext': points[0]?.text ?? '',
  }
  for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value)
  const events = new AbortController()
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ) => box.addEventListener(type, listener, { signal: events.signal })
  on('pointermove', toPointer)
  on('pointerdown', toPointer)
  // After a touch the value stays.
  on('pointerleave', ({ pointerType }) => pointerType === 'mouse' && tip.hide())
  on('keydown', onKey)
  on('focus', () => box.matches(':focus-visible') && show(Math.max(0, at)))
  on('blur', tip.hide)
  return () => {
    events.abort()
    tip.remove()
    for (const name of [...Object.keys(attributes), 'tabindex']) box.removeAttribute(name)
  }
}

/** The index of the point for a key; undefined for other keys. */
function indexAfter(key: string, points: readonly ChartPoint[], at: number): number | undefined {
  const last = points.length - 1
  const clamp = (index: number) => Math.min(last, Math.max(0, index))
  if (key === 'ArrowRight') return clamp(at + 1)
  if (key === 'ArrowLeft') return clamp(at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageDown') return clamp(at + 10)
  if (key === 'PageUp') return clamp(at - 10)
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const names = [...new Set(points.map(({ series }) => series))]
  const here = points[Math.max(0, at)]
  // With one series up and down act like right and left, as for sliders.
  if (names.length < 2 || !here) return clamp(at + (key === 'ArrowUp' ? 1 : -1))
  const name = names[names.indexOf(here.series) + (key === 'ArrowUp' ? -1 : 1)]
  if (name === undefined) return clamp(at)
  const measureDistance = ({ left, right, top, bottom }: ChartPoint) =>
    Math.hypot(left + right - here.left - here.right, (top + bottom - here.top - here.bottom) / 100)
  let best: number | undefined
  points.forEach((point, index) => {
    if (point.series !== name) return
    if (best === undefined || measureDistance(point) < measureDistance(points[best] ?? point)) best = index
  })
  return best
}

/** The index of the nearest mark within reach; undefined without one. */
function findNearestIndex(
  points: readonly ChartPoint[],
  box: DOMRect,
  x: number,
  y: number,
): number | undefined {
  let best: number | undefined
  let least = reach
  points.forEach(({ left, right, top, bottom }, index) => {
    const dx = Math.max(box.left + left * box.width - x, 0, x - box.left - right * box.width)
    const dy = Math.max(box.top + top * box.height - y, 0, y - box.top - bottom * box.height)
    const away = Math.hypot(dx, dy)
    if (away < least) [least, best] = [away, index]
  })
  return best
}

/** The tooltip and the ring around its mark. They set text only, stay inside the viewport and ignore the pointer. */
function makeTip(box: HTMLElement) {
  const ring = document.createElement('div')
  ring.className = 'chart-ring'
  const tip = document.createElement('div')
  tip.className = 'chart-tip'
  for (const part of [ring, tip]) {
    part.hidden = true
    part.setAttribute('aria-hidden', 'true')
  }
  box.appendChild(ring)
  box.appendChild(tip)
  return {
    show({ text, left, right, top, bottom }: ChartPoint) {
      tip.textContent = text
      for (const part of [ring, tip]) part.hidden = false
      const { width, height, left: boxLeft, top: boxTop } = box.getBoundingClientRect()
      // By the CSSOM, as the policy forbids style attributes.
      const placeAt = (part: HTMLElement, x: number, y: number) => {
        part.style.left = `${x}px`
        part.style.top = `${y}px`
      }
      placeAt(ring, left * width, top * height)
      ring.style.width = `${(right - left) * width}px`
      ring.style.height = `${(bottom - top) * height}px`
      const size = tip.getBoundingClientRect()
      const room = document.documentElement.clientWidth
      const middle = ((left + right) / 2) * width
      const x = Math.min(Math.max(4 - boxLeft, middle - size.width / 2), room - 4 - boxLeft - size.width)
      const above = top * height - size.height - 10
      placeAt(tip, x, boxTop + above < 4 ? bottom * height + 10 : above)
    },
    hide() {
      for (const part of [ring, tip]) part.hidden = true
    },
    remove() {
      ring.remove()
      tip.remove()
    },
  }
}
