import { useNavigation } from '@remix-run/react'
import { useEffect, useState, type RefObject } from 'react'

/**
 * Whether a form holds what was not sent yet, for `LeaveDialog`: from the first change of an input until it is sent. A
 * refusal makes it unsaved again with the next change. Changes that no input tells of are told by `mark`.
 */
export function useUnsaved(form: RefObject<HTMLFormElement>): { isUnsaved: boolean; mark: () => void } {
  const [isUnsaved, setUnsaved] = useState(false)
  const { state } = useNavigation()
  useEffect(() => {
    const element = form.current
    if (!element) return
    // Not at once: this listener comes before React's own, and a render in between would put a controlled input back
    // to what it was, so that React never heard of its first letter.
    const changed = () => setTimeout(() => setUnsaved(true))
    const sent = () => setUnsaved(false)
    element.addEventListener('input', changed)
    element.addEventListener('submit', sent)
    return () => {
      element.removeEventListener('input', changed)
      element.removeEventListener('submit', sent)
    }
  }, [form])
  return { isUnsaved: isUnsaved && state !== 'submitting', mark: () => setUnsaved(true) }
}
