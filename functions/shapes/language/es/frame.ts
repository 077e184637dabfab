import type { FrameTexts } from '../frame.ts'

export const frame: FrameTexts = {
  nearest: '¿Buscaba alguna de estas páginas?',
  searchInstead: 'Buscar en este portal',
  unknownHost: {
    title: 'No hay ningún portal en esta dirección',
    text: 'Ha pedido {host}. Ninguna organización tiene un portal ahí.',
    advice:
      'Puede que la dirección esté mal escrita, o que la organización haya trasladado o cerrado su portal.',
  },
  closedHost: {
    title: 'Este portal se ha cerrado',
    text: 'La organización de {host} ha cerrado su portal y todo lo que contenía.',
    advice:
      'Pida los datos a la propia organización. Si la administra, inicie sesión en el espacio de trabajo para reabrirla a tiempo.',
  },
  openSearch: 'Buscar en los datos abiertos de {name}',
  footer: { contact: 'Contacto', licences: 'Licencias', feeds: 'Canales y catálogos', api: 'API' },
  byTopic: 'Datos por tema',
  publisher: 'Entidad que publica',
  licences: {
    text: 'Cada indicador indica su propia licencia. Se usan estas:',
    none: {
      one: '{n} indicador no indica ninguna licencia.',
      many: '{n} de indicadores no indican ninguna licencia.',
      other: '{n} indicadores no indican ninguna licencia.',
    },
    empty: 'Todavía ningún indicador indica una licencia.',
  },
  feeds: {
    text: 'Para lectores de canales y programas que recopilan datos abiertos:',
    changes: 'Datos modificados',
    stories: 'Historias nuevas',
    catalogues: 'Catálogo',
  },
  noContact: 'La organización no ha indicado ningún contacto.',
  accessibility: {
    title: 'Accesibilidad',
    intro:
      'Lo que encontraron las pruebas automáticas en las páginas de portales como el de {name}. Es el resultado de una prueba; no afirma que todas las páginas cumplan una norma.',
    results: 'Últimos resultados automáticos',
    method:
      'Las páginas se abren en un navegador y las comprueba un programa. Son las de un portal de muestra hecho con el mismo software; los textos y las imágenes de este portal son propios.',
    date: 'Fecha de la prueba',
    tool: 'Probado con',
    rules: 'Reglas',
    pages: 'Tipos de páginas',
    languages: 'Idiomas',
    themes: 'Temas',
    light: 'claro',
    dark: 'oscuro',
    widths: 'Anchuras en píxeles',
    checks: 'Páginas comprobadas',
    found: 'Resultado',
    faults: { one: '{n} fallo', many: '{n} de fallos', other: '{n} fallos' },
    noFaults: 'No se encontró ningún fallo.',
    noResult: 'No consta ningún resultado para esta versión.',
    limits:
      'Un programa solo ve una parte de lo que puede estar mal: no puede juzgar si un texto es claro ni si una descripción corresponde a su imagen.',
    report: '¿Hay algo que no le funcione? Díganoslo:',
    noContact: 'La organización no ha indicado ningún contacto para ello.',
  },
  privacy: {
    title: 'Privacidad',
    ofPlace: 'Lo que indica {name}',
    ofHub: 'Lo que hace este portal',
    facts: [
      'No usa cookies ni muestra publicidad. El tema y la barra lateral que elija se guardan en su navegador.',
      'Cuenta cuántas veces se leen las páginas, con qué rapidez se mostraron, desde qué sitios y países llegan los lectores y con qué tipo de dispositivo. Cada dato se suma por separado; no se reconoce a ninguna persona, ni en la página siguiente ni al día siguiente.',
      'Los navegadores que envían «Do Not Track» o «Global Privacy Control» no se cuentan.',
      'Las búsquedas sin resultados se guardan como palabras cuando se repiten tres veces en un día, sin saber quién buscó.',
    ],
  },
}
