import { useEffect } from 'react'

/**
 * Keeps the keyboard where it was. What a person activated may be gone when the next screen, or the answer of a form, is shown; browsers
 * then begin anew at the top of the document, before the sidebar. It goes on at the title of what is left of where it was: on another
 * screen that is the screen's own, also where that has another frame, as signing in has.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: { element: Element; around: Element[] } | null = null
    let frame = 0
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('#main'))
        last = { element: target, around: ancestorsOf(target) }
    }
    // Who points elsewhere is not at it any more.
    const forget = () => {
      last = null
    }
    const goOn = () => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return
      const { around } = last
      last = null
      moveTo(around.find((element) => element.isConnected) ?? document.querySelector('#main'))
    }
    const observer = new MutationObserver(() => {
      if (!last || last.element.isConnected) return
      // What takes the focus for itself does so in the same frame.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(goOn)
    })
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', forget)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}

/** What an element stands in, the nearest first, without the element itself. */
function ancestorsOf(element: Element): Element[] {
  const above: Element[] = []
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) above.push(at)
  return above
}

/** Has the keyboard go on in a part of the screen: at its title, else at itself. */
function moveTo(part: Element | null): void {
  const target = part?.querySelector<HTMLElement>('h1, h2, h3') ?? part
  if (!(target instanceof HTMLElement)) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
