import { isOfAnother, sentHeaderRows } from './head-rows.ts'
import { sentLeaveOut } from './leave-out.ts'
import type { ReadAt } from './parser-guess.ts'

/** The reading options in a form or URL; '' without a choice. */
export function sentReadAt(values: Pick<URLSearchParams, 'get' | 'getAll'>, parser: string): ReadAt {
  const selector = values.get('selector')?.trim() ?? ''
  return {
    zip: values.get('zip') === 'yes' ? 'yes' : '',
    selector,
    headerRows: sentHeaderRows((name) => values.get(name), { parser, selector }),
    leaveOut: sentLeaveOut(
      (name) => values.getAll(name),
      isOfAnother(values.get('headerOf'), parser, selector),
    ),
  }
}
