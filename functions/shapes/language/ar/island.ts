import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: 'جارٍ البحث...',
  results: {
    zero: 'لا نتائج بحث',
    one: 'نتيجة بحث واحدة',
    two: 'نتيجتا بحث',
    few: '{n} نتائج بحث',
    many: '{n} نتيجة بحث',
    other: '{n} نتيجة بحث',
  },
  none: 'لا توجد نتائج!',
  kinds: { domain: 'مجال', topic: 'موضوع', indicator: 'مؤشر', story: 'قصة بيانات', map: 'خريطة' },
  noLiveMap: 'لا يستطيع هذا المتصفح رسم الخرائط التفاعلية (WebGL غير متاح). تبقى الصورة والقائمة كما هما.',
  mapClasses: 'إظهار الفئات أو إخفاؤها',
  mapParts: 'أجزاء الخريطة',
  wholeMap: 'الخريطة كلها',
  mapPicture: 'حفظ هذا العرض كصورة',
  mapControls: {
    'GeolocateControl.FindMyLocation': 'تحديد موقعي',
    'GeolocateControl.LocationNotAvailable': 'موقعك غير متاح',
    'NavigationControl.ZoomIn': 'تكبير',
    'NavigationControl.ZoomOut': 'تصغير',
    'AttributionControl.ToggleAttribution': 'إظهار المصادر أو إخفاؤها',
    'Popup.Close': 'إغلاق',
    'CooperativeGesturesHandler.WindowsHelpText': 'استخدم Ctrl مع التمرير لتكبير الخريطة',
    'CooperativeGesturesHandler.MacHelpText': 'استخدم ⌘ مع التمرير لتكبير الخريطة',
    'CooperativeGesturesHandler.MobileHelpText': 'استخدم إصبعين لتحريك الخريطة',
  },
}
