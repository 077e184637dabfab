import { lazy, Suspense } from 'react'
import type { ReorderList, ReorderListProps } from './reorder-list.tsx'

/** Drag and drop is 40 kB, so browsers load it lazily. Rendered documents include it. */
const List = lazy(async () => ({
  default: (await import('./reorder-list.tsx')).ReorderList,
})) as typeof ReorderList

/** A sortable list, loaded when shown. */
export function LazyReorderList<Item extends ReorderListProps['items'][number]>(
  props: ReorderListProps<Item>,
) {
  return (
    <Suspense fallback={<div className="skeleton is-block" />}>
      <List {...props} />
    </Suspense>
  )
}
