import { useEffect } from 'react'

/**
 * Restores keyboard focus. The focused element may be gone after a navigation or a form result; browsers then restart at the top of
 * the document, before the sidebar. Focus moves to the heading of the nearest remaining ancestor; after navigation to another screen
 * that is the screen's own, also when the frame differs, as after signing in.
 */
export function useFocusRestoration(): void {
  useEffect(() => {
    let last: { element: Element; around: Element[] } | null = null
    let frame = 0
    const rememberFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('#main'))
        last = { element: target, around: listAncestors(target) }
    }
    // A pointer elsewhere means that focus need not be restored.
    const forget = () => {
      last = null
    }
    const restoreFocus = () => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return
      const { around } = last
      last = null
      moveTo(around.find((element) => element.isConnected) ?? document.querySelector('#main'))
    }
    const observer = new MutationObserver(() => {
      if (!last || last.element.isConnected) return
      // Components that take focus themselves do so in the same frame.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(restoreFocus)
    })
    document.addEventListener('focusin', rememberFocus)
    document.addEventListener('pointerdown', forget)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', rememberFocus)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}

/** The ancestors of an element, nearest first, without itself and the body. */
function listAncestors(element: Element): Element[] {
  const above: Element[] = []
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) above.push(at)
  return above
}

/** Focuses the heading of a part of the screen, else the part itself. */
function moveTo(part: Element | null): void {
  const target = part?.querySelector<HTMLElement>('h1, h2, h3') ?? part
  if (!(target instanceof HTMLElement)) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
