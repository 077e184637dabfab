import { lazy, Suspense } from 'react'
import { ArrangeList as Arrange, type ArrangeListProps } from './arrange-list.tsx'

/** Dragging is 40 kB that who only reads does not need: a browser fetches it to arrange. Documents come with the list. */
const List = (
  import.meta.env.SSR
    ? Arrange
    : lazy(async () => ({ default: (await import('./arrange-list.tsx')).ArrangeList }))
) as typeof Arrange

/** A list whose order people change, fetched when it is shown. */
export function Arranging<Item extends ArrangeListProps['items'][number]>(props: ArrangeListProps<Item>) {
  return (
    <Suspense fallback={<div className="skeleton is-block" />}>
      <List {...props} />
    </Suspense>
  )
}
