import { lazy, Suspense } from 'react'
import { ReorderList as Arrange, type ReorderListProps } from './reorder-list.tsx'

/** Drag and drop is 40 kB, so it is loaded lazily in browsers; on the server it is rendered directly. */
const List = (
  import.meta.env.SSR
    ? Arrange
    : lazy(async () => ({ default: (await import('./reorder-list.tsx')).ReorderList }))
) as typeof Arrange

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
