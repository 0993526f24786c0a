// The reference was at /docs before this page, and linked to its parts by what follows the #: such a link leads on. The
// operations on a payment named it {id} then.
if (/^#(tag|description|webhook|model)s?\//.test(location.hash)) {
  const part = location.hash.replace(/\/payments\/(?:\{|%7B)id(?:\}|%7D)\//i, '/payments/{identifier}/');
  location.replace(`/docs/reference${location.search}${part}`);
}
