import type { MapTexts } from '../map.ts'

export const map: MapTexts = {
  records: { one: '{n} registro', other: '{n} registros' },
  points: { one: '{n} punto', other: '{n} puntos' },
  circles: { one: '{n} círculo', other: '{n} círculos' },
  single: (records) => `${records} en el mapa.`,
  gathered: (records, circles) => `${records} en ${circles}.`,
  manyShapes:
    'Las líneas y áreas son demasiadas o demasiado detalladas para dibujarlas una a una: los círculos las representan.',
  unplaced: { one: '{n} registro no tiene lugar.', other: '{n} registros no tienen lugar.' },
  outside: {
    one: '{n} registro queda fuera de esta imagen.',
    other: '{n} registros quedan fuera de esta imagen.',
  },
  unshown: {
    one: '{n} registro no está en esta imagen: no tiene lugar o queda fuera de ella.',
    other: '{n} registros no están en esta imagen: no tienen lugar o quedan fuera de ella.',
  },
  unmatched: ({ n, total, set, names, more, writeCount }) =>
    `${writeCount(n)} de ${writeCount(total)} valores no ${n === 1 ? 'corresponde' : 'corresponden'} a ` +
    `${{ state: 'ningún estado', county: 'ningún condado', country: 'ningún país', region: 'ninguna región' }[set]}: ` +
    `${names}${more > 0 ? ` y ${writeCount(more)} más` : ''}.`,
  nameless: (set, amount) =>
    `Los registros sin ${{ state: 'estado', county: 'condado', country: 'país', region: 'región' }[set]} no están en el mapa` +
    `${amount && ` (${amount})`}.`,
  located: (set, origin) =>
    `Cada registro cuenta para la región en la que está su punto, según los contornos de «${set}»${origin && ` (${origin})`}. ` +
    'Donde los contornos son aproximados, los registros cercanos a un límite pueden contar para la región vecina.',
  repeated: {
    one: '{n} región tiene varios valores; el mapa muestra el primero.',
    other: '{n} regiones tienen varios valores; el mapa muestra el primero de cada una.',
  },
  unplacedRows: { one: '{n} fila no tiene lugar.', other: '{n} filas no tienen lugar.' },
  outsidePoints: {
    one: '{n} punto queda fuera de esta imagen.',
    other: '{n} puntos quedan fuera de esta imagen.',
  },
  hidden: ({ n, names, more, writeCount }) =>
    `${writeCount(n)} ${n === 1 ? 'región con valor queda' : 'regiones con valor quedan'} fuera de esta imagen: ` +
    `${names}${more > 0 ? ` y ${writeCount(more)} más` : ''}.`,
  blank: {
    borders: 'El mapa no se puede dibujar: faltan sus límites. La tabla tiene los valores.',
    names: (set) =>
      `El mapa estaría vacío: ningún valor nombra ${{ state: 'un estado', county: 'un condado', country: 'un país', region: 'una región' }[set]}. ` +
      'Elija la columna que lo hace u otras regiones.',
    numbers: 'El mapa estaría vacío: no hay ningún número que lo coloree. Añada un recuento u otra medida.',
    places:
      'El mapa estaría vacío: ninguna fila tiene lugar. Elija una columna de puntos, o longitud y latitud.',
  },
  live: (part, total) => `El mapa interactivo muestra ${part} de ${total}.`,
  byRegion: { region: 'Región', points: 'Puntos' },
  perArea: (measure, n) => `${measure} por ${n}km²`,
  perAttribute: (measure, n, of) => `${measure} por ${n}${of}`,
  undivided: {
    one: '{n} región no tiene por qué dividir su valor: aparece como «sin datos».',
    other: '{n} regiones no tienen por qué dividir sus valores: aparecen como «sin datos».',
  },
  scale: {
    middle: (length) => `${length} en el centro`,
    areasOnly: 'Las superficies son proporcionales; las distancias no.',
  },
  areas: 'Las superficies son las de los límites simplificados del mapa.',
  farParts: {
    alaska: 'Alaska',
    hawaii: 'Hawái',
    puertoRico: 'Puerto Rico',
    marianas: 'Guam y Marianas del Norte',
    samoa: 'Samoa Americana',
  },
  comma: ', ',
}
