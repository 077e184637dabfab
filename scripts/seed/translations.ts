import type { Locale } from '#functions/shapes/locale.ts'
import type { TranslatableNoun } from '#functions/shapes/translatable.ts'
import { rainIn } from './pages.ts'

export interface SeedTranslation {
  placeId: string
  language: Locale
  noun: TranslatableNoun
  /** For a block of a page: the id of the page, and the block's position. */
  nounId: string
  position?: number
  /** Translations by the path of the text. */
  texts: Record<string, string>
}

const spanish = { placeId: 'seattle-wa', language: 'es' } as const
const story = { ...spanish, noun: 'content', nounId: 'seattle-rain' } as const

/**
 * The Spanish translations of the demo's city: many, but not all, so that the marks of untranslated texts are
 * visible.
 */
export const translations: SeedTranslation[] = [
  {
    ...spanish,
    noun: 'place',
    nounId: 'seattle-wa',
    texts: {
      displayName: 'Datos abiertos de Seattle',
      description:
        'El tiempo, el clima y los aeródromos de la ciudad y de su estado: cifras que cualquiera puede leer, reutilizar y consultar.',
      about: `<p>Este portal muestra lo que se mide en Seattle y sus alrededores. Cada gráfico está junto a su tabla, y cada tabla se puede descargar.</p>
<h2>De dónde vienen las cifras</h2><p>Los registros del tiempo y las normales climáticas son de la National Oceanic and Atmospheric Administration; los aeródromos y los choques con fauna silvestre, de la Federal Aviation Administration. Llegan a este portal a través de los conjuntos de datos del proyecto Vega.</p>
<h2>Cómo usarlas</h2><p>Descargue una tabla, pregunte a la API o cite una página: las direcciones no cambian.</p>`,
    },
  },
  {
    ...spanish,
    noun: 'dataType',
    nounId: 'daily-weather',
    texts: {
      name: 'Tiempo diario',
      category: 'Medio ambiente',
      notes: 'Un registro por día de una estación meteorológica.',
      'fields.day.name': 'Día',
      'fields.precipitation.name': 'Precipitación',
      'fields.maximum.name': 'Temperatura máxima',
      'fields.minimum.name': 'Temperatura mínima',
      'fields.wind.name': 'Velocidad del viento',
      'fields.weather.name': 'Tiempo',
    },
  },
  { ...spanish, noun: 'dataType', nounId: 'airport', texts: { name: 'Aeropuerto', category: 'Transporte' } },
  {
    ...spanish,
    noun: 'source',
    nounId: 'seattle-weather',
    texts: {
      name: 'Tiempo diario de Seattle',
      notes: 'Precipitación, temperaturas y viento de cada día de 2012 a 2015.',
      'tags.rain': 'lluvia',
      'tags.temperature': 'temperatura',
      'tags.wind': 'viento',
    },
  },
  {
    ...spanish,
    noun: 'source',
    nounId: 'washington-airports',
    texts: {
      name: 'Aeropuertos del estado de Washington',
      notes: 'Aeropuertos y aeródromos del estado, con su posición.',
    },
  },
  {
    ...spanish,
    noun: 'insight',
    nounId: 'seattle-rain-by-month',
    texts: {
      name: 'Cuándo llueve en Seattle',
      notes: 'Precipitación de cada mes del año, sumada durante cuatro años.',
    },
  },
  {
    ...spanish,
    noun: 'insight',
    nounId: 'seattle-temperature',
    texts: {
      name: 'Temperaturas máximas diarias en Seattle',
      notes: 'La media de las temperaturas más altas de cada mes.',
    },
  },
  {
    ...spanish,
    noun: 'page',
    nounId: 'seattle-rain',
    texts: {
      title: '¿De verdad llueve tanto en Seattle?',
      description: 'Cuatro años de registros del tiempo, leídos mes a mes.',
    },
  },
  {
    ...story,
    position: 0,
    texts: {
      html: `<p>Seattle es conocida por su lluvia. Una estación meteorológica registró cada día de 2012 a 2015, y sus registros muestran que la lluvia se queda en una mitad del año.</p>
<h2>Una mitad lluviosa y una seca</h2><p>La lluvia y la nieve se reparten de forma desigual durante el año. En los cuatro años juntos, julio trajo ${rainIn(7)} y noviembre ${rainIn(11)}.</p>`,
    },
  },
  {
    ...story,
    position: 8,
    texts: {
      html: '<h2>Veranos cálidos, inviernos suaves</h2><p>Cada punto es la media de las temperaturas máximas diarias de un mes. Los mismos meses son más o menos igual de cálidos cada año.</p>',
    },
  },
  {
    ...story,
    position: 10,
    texts: {
      html: '<h2>Viento y temperatura</h2><p>Cada punto es un mes. Los meses cálidos suelen tener menos viento.</p>',
    },
  },
]
