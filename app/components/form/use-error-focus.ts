import { useEffect, type RefObject } from 'react'
import type { FormErrors } from './issues.ts'

/**
 * Focuses the first invalid input of a form after each failure. For forms longer than a window, where the errors would be out of view.
 * `inside`: any element within the form.
 */
export function useErrorFocus(inside: RefObject<HTMLElement>, errors: FormErrors | undefined): void {
  const issues = errors?.issues
  useEffect(() => {
    if (!issues?.length) return
    inside.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [inside, issues])
}
