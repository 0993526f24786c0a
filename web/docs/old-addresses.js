// Redirects old links. The reference used to be at /docs, with its parts after the #, and operations on a payment had
// the parameter {id}.
if (/^#(tag|description|webhook|model)s?\//.test(location.hash)) {
  const part = location.hash.replace(/\/payments\/(?:\{|%7B)id(?:\}|%7D)\//i, '/payments/{identifier}/');
  location.replace(`/docs/reference${location.search}${part}`);
}
