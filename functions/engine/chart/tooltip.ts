/** A tooltip of one line beside the pointer, as Vega calls it: a value to show, or nothing to hide. */
interface Tooltip {
  show: (event: { clientX: number; clientY: number } | null, value: unknown) => void
  remove: () => void
}

/**
 * Makes the tooltip of a chart. It sets text only (never markup), stays inside the window, lets the pointer through and
 * goes on Escape. Assistive technology does not read it: the table beside the chart says the same.
 */
export function makeTooltip(page: Document): Tooltip {
  const box = page.createElement('div')
  box.className = 'chart-tooltip'
  box.hidden = true
  box.setAttribute('aria-hidden', 'true')
  // Through the object model: a content policy forbids style attributes, not this
  box.style.position = 'fixed'
  box.style.pointerEvents = 'none'
  page.body.appendChild(box)

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') box.hidden = true
  }
  page.addEventListener('keydown', onKey)

  return {
    show(event, value) {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      box.hidden = event === null || text === ''
      if (event === null || text === '') return
      const { clientX, clientY } = event
      box.textContent = text
      const { width, height } = box.getBoundingClientRect()
      const room = page.documentElement.clientWidth
      const left = Math.min(Math.max(4, clientX - width / 2), Math.max(4, room - width - 4))
      const top = clientY - height - 12
      box.style.left = `${left}px`
      box.style.top = `${top < 4 ? clientY + 20 : top}px`
    },
    remove() {
      page.removeEventListener('keydown', onKey)
      box.remove()
    },
  }
}
