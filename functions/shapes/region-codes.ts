/** ISO 3166-1 alpha-3 and alpha-2 codes of countries, as of 2024. */
const pairs =
  'ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW'
const twoLetters = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(3)]))
const knownCodes = new Set(twoLetters.values())

/** The alpha-2 code for an alpha-2 or alpha-3 code in any case; null if unknown. */
export function findCountryCode(code: string): string | null {
  const upper = code.trim().toUpperCase()
  return twoLetters.get(upper) ?? (knownCodes.has(upper) ? upper : null)
}

/** The alpha-3 and alpha-2 code of each country. */
export const countryCodes = (): (readonly [three: string, two: string])[] => [...twoLetters]

/** Postal code, FIPS 5-2 number and name of the states, the District of Columbia and the territories. */
export const stateCodes: readonly (readonly [post: string, fips: string, name: string])[] = (
  'AL01Alabama AK02Alaska AZ04Arizona AR05Arkansas CA06California CO08Colorado CT09Connecticut DE10Delaware ' +
  'DC11District_of_Columbia FL12Florida GA13Georgia HI15Hawaii ID16Idaho IL17Illinois IN18Indiana IA19Iowa KS20Kansas ' +
  'KY21Kentucky LA22Louisiana ME23Maine MD24Maryland MA25Massachusetts MI26Michigan MN27Minnesota MS28Mississippi ' +
  'MO29Missouri MT30Montana NE31Nebraska NV32Nevada NH33New_Hampshire NJ34New_Jersey NM35New_Mexico NY36New_York ' +
  'NC37North_Carolina ND38North_Dakota OH39Ohio OK40Oklahoma OR41Oregon PA42Pennsylvania RI44Rhode_Island ' +
  'SC45South_Carolina SD46South_Dakota TN47Tennessee TX48Texas UT49Utah VT50Vermont VA51Virginia WA53Washington ' +
  'WV54West_Virginia WI55Wisconsin WY56Wyoming AS60American_Samoa GU66Guam MP69Northern_Mariana_Islands PR72Puerto_Rico ' +
  'VI78U.S._Virgin_Islands'
)
  .split(' ')
  .map((each) => [each.slice(0, 2), each.slice(2, 4), each.slice(4).replaceAll('_', ' ')] as const)
