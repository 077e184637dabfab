import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/**
 * Keeps the keyboard where it was. What a person activated may be gone when the next screen, or the answer of a form, is shown; browsers
 * then begin anew at the top of the document, before the sidebar. It goes on at the title of the new screen or, on the same one, at what
 * is left of where it was.
 */
export function useKeptFocus(): void {
  const { state } = useNavigation()
  const { pathname } = useLocation()
  const around = useRef<Element[]>([])
  const shownPath = useRef(pathname)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('#main')) around.current = ancestorsOf(target)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (state !== 'idle' || !around.current.length) return
    // What takes the focus for itself does so in the same frame.
    const frame = requestAnimationFrame(() => {
      const isElsewhere = shownPath.current !== pathname
      shownPath.current = pathname
      if (document.activeElement && document.activeElement !== document.body) return
      const left = isElsewhere ? undefined : around.current.find((element) => element.isConnected)
      around.current = []
      moveTo(left ?? document.querySelector('#main'))
    })
    return () => cancelAnimationFrame(frame)
  }, [state, pathname])
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
