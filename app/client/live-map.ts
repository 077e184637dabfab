import { useEffect, type RefObject } from 'react'

/**
 * Hydrates the map of a screen on first interaction, with the same code as the island of hub pages, which is fetched for the first
 * map. The screen is complete without it.
 */
export function useLiveMap(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const figure = screen.current?.querySelector<HTMLElement>('[data-map]')
    // The Worker renders no live maps, so its bundle omits their code.
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
