import { useEffect, type RefObject } from 'react'

/**
 * Makes the map of a screen live when it is touched, as the island does on hub pages: the same code, which is fetched for
 * the first map there is. The screen is whole without it.
 */
export function useLiveMap(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const figure = screen.current?.querySelector<HTMLElement>('[data-map]')
    // The Worker draws no live maps, and need not hold their code.
    if (import.meta.env.SSR || !figure) return
    let undo = () => {}
    let isOver = false
    const ignore = () => {}
    import('#app/islands/map.ts').then(({ wireMap }) => {
      if (!isOver) undo = wireMap(figure, ignore)
    }, ignore)
    return () => {
      isOver = true
      undo()
    }
  }, [screen])
}
