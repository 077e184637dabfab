import type { EdgeWords } from '../edge.ts'

export const edge: EdgeWords = {
  results: { one: '{n} resultado de búsqueda', other: '{n} resultados de búsqueda' },
  none: '¡Sin resultados!',
  kinds: { domain: 'Ámbito', indicator: 'Indicador', story: 'Historia de datos', map: 'Mapa' },
  search: {
    all: 'Todo',
    byKind: 'Tipo de resultado',
    byDomain: 'Ámbito del resultado',
    page: 'Página {n} de {of}',
    previous: 'Anterior',
    next: 'Siguiente',
  },
  preparing: {
    title: 'Este portal se está preparando',
    text: 'Sus primeras páginas están en camino. Vuelva dentro de unos minutos.',
  },
  updating: {
    title: 'Esta página se está actualizando',
    text: 'Algo que mostraba ya no es público. Vuelva dentro de unos instantes.',
  },
  unreadable: {
    title: 'Esta página no se puede mostrar en este momento',
    text: 'El almacenamiento que la contiene no responde. No se ha perdido nada; inténtelo de nuevo dentro de un minuto.',
  },
}
