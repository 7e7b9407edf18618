// What the app calls when a native screen has sent a comment.
function commented(text) {
  var half = text.length / 2, quote = /["'`]/g;
  document.getElementById("comments").innerHTML += text.replace(quote, "");
  if (half > 100) location.href = "showtime://ajax?url=" + encodeURIComponent("/long");
}
