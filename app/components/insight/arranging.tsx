import { lazy, Suspense } from 'react'
import { ArrangeList as Arrange, type ArrangeListProps } from './arrange-list.tsx'

/** Drag and drop is 40 kB, so it is loaded lazily in browsers; on the server it is rendered directly. */
const List = (
  import.meta.env.SSR
    ? Arrange
    : lazy(async () => ({ default: (await import('./arrange-list.tsx')).ArrangeList }))
) as typeof Arrange

/** A sortable list, loaded when shown. */
export function Arranging<Item extends ArrangeListProps['items'][number]>(props: ArrangeListProps<Item>) {
  return (
    <Suspense fallback={<div className="skeleton is-block" />}>
      <List {...props} />
    </Suspense>
  )
}
