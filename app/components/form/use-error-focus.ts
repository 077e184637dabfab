import { useEffect, type RefObject } from 'react'
import type { FormErrors } from './issues.ts'

/**
 * Takes the focus to the first input of a form that was refused, each time it is. For forms longer than a window, where
 * who pressed its button at the end would see nothing happen. `inside` is anything within the form.
 */
export function useErrorFocus(inside: RefObject<HTMLElement>, errors: FormErrors | undefined): void {
  const issues = errors?.issues
  useEffect(() => {
    if (!issues?.length) return
    inside.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [inside, issues])
}
